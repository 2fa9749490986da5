"use client";

import { type FormEvent, useId, useState } from "react";
import { api } from "@/app/_api/api";
import { errorSentence } from "@/app/_api/api-error";
import { useAccountAction } from "@/app/_data/accounts/use-account";
import { Button } from "@/app/_ui/button";
import { Dialog } from "@/app/_ui/dialog";
import { InputField } from "@/app/_ui/fields";
import { CopyButton } from "@/app/_ui/markdown/copy-button";
import { ErrorNotice } from "@/app/_ui/notice";
import type { TwoFactorWire } from "@/lib/chat/wire/accounts";

export function TwoFactorDialog({ isOn, onClose }: { isOn: boolean; onClose: () => void }) {
  const [made, setMade] = useState<TwoFactorWire | null>(null);
  if (made) return <Confirmation made={made} onClose={onClose} />;
  return <PasswordStep isOn={isOn} onMade={setMade} onClose={onClose} />;
}

function PasswordStep({
  isOn,
  onMade,
  onClose,
}: {
  isOn: boolean;
  onMade: (made: TwoFactorWire) => void;
  onClose: () => void;
}) {
  const formId = useId();
  const [password, setPassword] = useState("");
  const acting = useAccountAction(async (): Promise<TwoFactorWire | null> => {
    if (!isOn) return api("POST /api/account/two-factor", { body: { password } });
    await api("DELETE /api/account/two-factor", { body: { password } });
    return null;
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    acting.mutate(undefined, { onSuccess: (made) => (made ? onMade(made) : onClose()) });
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={isOn ? "Turn two-factor sign-in off" : "Turn two-factor sign-in on"}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form={formId} busy={acting.isPending}>
            {isOn ? "Turn off" : "Continue"}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} className="flex flex-col gap-4">
        {acting.isError && <ErrorNotice>{errorSentence(acting.error)}</ErrorNotice>}
        <InputField
          label="Password"
          type="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
      </form>
    </Dialog>
  );
}

function Confirmation({ made, onClose }: { made: TwoFactorWire; onClose: () => void }) {
  const formId = useId();
  const [code, setCode] = useState("");
  const confirming = useAccountAction(() =>
    api("POST /api/account/two-factor/confirm", { body: { code } }),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    confirming.mutate(undefined, { onSuccess: onClose });
  };
  const key = new URL(made.uri).searchParams.get("secret") ?? "";
  const codes = made.recoveryCodes.join("\n");
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Add Grove to your authenticator app"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form={formId} busy={confirming.isPending}>
            Turn on
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} className="flex flex-col gap-4 text-sm">
        <p>
          On this device,{" "}
          <a className="text-accent underline" href={made.uri}>
            open the app
          </a>
          . Elsewhere, enter this key in the app:
        </p>
        <p className="flex items-center gap-2">
          <code className="select-all break-all font-mono text-xs">{key}</code>
          <CopyButton text={key} label="Copy key" size="sm" />
        </p>
        <p>
          Save these recovery codes. Each signs you in once if you lose the app; they are not shown
          again.
        </p>
        <div className="flex items-start gap-2">
          <pre className="flex-1 select-all rounded-md bg-sunken p-3 font-mono text-xs">
            {codes}
          </pre>
          <CopyButton text={codes} label="Copy recovery codes" size="sm" />
        </div>
        {confirming.isError && <ErrorNotice>{errorSentence(confirming.error)}</ErrorNotice>}
        <InputField
          label="Code from the app"
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          value={code}
          onChange={(event) => setCode(event.target.value)}
        />
      </form>
    </Dialog>
  );
}
