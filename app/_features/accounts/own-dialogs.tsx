"use client";

import { useState } from "react";
import { api } from "@/app/_api/api";
import { useAccountAction, useSaveAccount } from "@/app/_data/accounts/use-account";
import { FormDialog } from "@/app/_data/forms/form-dialog";
import { useForm } from "@/app/_data/forms/use-form";
import { InputField } from "@/app/_ui/fields";
import { CopyButton } from "@/app/_ui/markdown/copy-button";
import type { TwoFactorWire } from "@/lib/chat/wire/accounts";

export function NameDialog({ name: present, onClose }: { name: string; onClose: () => void }) {
  const renaming = useSaveAccount((name: string) => api("PATCH /api/account", { body: { name } }));
  const form = useForm({
    initial: { name: present },
    save: ({ name }) => renaming.mutateAsync(name),
    onSaved: onClose,
  });
  return (
    <FormDialog form={form} title="Rename" saveLabel="Save" onClose={onClose}>
      <InputField label="Name" required maxLength={80} {...form.text("name")} />
    </FormDialog>
  );
}

const fieldOfCode: Readonly<Record<string, string>> = {
  "bad-password": "next",
  "wrong-credentials": "current",
};

export function PasswordDialog({ onClose }: { onClose: () => void }) {
  const changing = useAccountAction((body: { current: string; next: string }) =>
    api("PUT /api/account/password", { body }),
  );
  const form = useForm({
    initial: { current: "", next: "" },
    save: changing.mutateAsync,
    onSaved: onClose,
    fieldOf: ({ code }) => fieldOfCode[code] ?? null,
  });
  return (
    <FormDialog
      form={form}
      title="Change password"
      description="Every other device is signed out."
      saveLabel="Change"
      onClose={onClose}
    >
      <InputField
        label="Present password"
        type="password"
        autoComplete="current-password"
        required
        {...form.text("current")}
      />
      <InputField
        label="New password"
        type="password"
        autoComplete="new-password"
        hint="At least 10 characters."
        required
        {...form.text("next")}
      />
    </FormDialog>
  );
}

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
  const acting = useAccountAction(
    async (body: { password: string }): Promise<TwoFactorWire | null> => {
      if (!isOn) return api("POST /api/account/two-factor", { body });
      await api("DELETE /api/account/two-factor", { body });
      return null;
    },
  );
  const form = useForm({
    initial: { password: "" },
    save: acting.mutateAsync,
    onSaved: (made) => (made ? onMade(made) : onClose()),
  });
  return (
    <FormDialog
      form={form}
      title={isOn ? "Turn two-factor sign-in off" : "Turn two-factor sign-in on"}
      saveLabel={isOn ? "Turn off" : "Continue"}
      onClose={onClose}
    >
      <InputField
        label="Password"
        type="password"
        autoComplete="current-password"
        required
        {...form.text("password")}
      />
    </FormDialog>
  );
}

function Confirmation({ made, onClose }: { made: TwoFactorWire; onClose: () => void }) {
  const confirming = useAccountAction((body: { code: string }) =>
    api("POST /api/account/two-factor/confirm", { body }),
  );
  const form = useForm({ initial: { code: "" }, save: confirming.mutateAsync, onSaved: onClose });
  const key = new URL(made.uri).searchParams.get("secret") ?? "";
  const codes = made.recoveryCodes.join("\n");
  return (
    <FormDialog
      form={form}
      title="Add Grove to your authenticator app"
      saveLabel="Turn on"
      onClose={onClose}
    >
      <div className="flex flex-col gap-4 text-sm">
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
      </div>
      <InputField
        label="Code from the app"
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        {...form.text("code")}
      />
    </FormDialog>
  );
}
