"use client";

import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { api } from "@/app/_api/api";
import { ApiError, errorSentence } from "@/app/_api/api-error";
import { Button } from "@/app/_ui/button";
import { Dialog } from "@/app/_ui/dialog";
import { InputField } from "@/app/_ui/fields";
import { ErrorNotice } from "@/app/_ui/notice";
import { createStore, useStore } from "@/app/_ui/store";
import type { AccountWire } from "@/lib/chat/wire/accounts";
import { canUsePasskeys, confirmByPasskey, dismissal, wasDismissed } from "./passkeys";
import { useAccount } from "./use-account";

interface Asked {
  readonly decide: (isConfirmed: boolean) => void;
}

const asked = createStore<Asked | null>(null);

/** Acts; when the server wants to know first who it is, asks the person and acts again. */
export async function whenConfirmed<Result>(act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof ApiError && error.code === "confirm-first")) throw error;
    const isConfirmed = await new Promise<boolean>((decide) => asked.update(() => ({ decide })));
    asked.update(() => null);
    if (!isConfirmed) throw dismissal();
    return act();
  }
}

/** The dialog of `whenConfirmed`, once on a page that uses it. */
export function ConfirmPerson() {
  const open = useStore(asked);
  const account = useAccount(open !== null);
  if (!open || !account.data) return null;
  return <ConfirmDialog account={account.data} onDecide={open.decide} />;
}

interface ConfirmProps {
  readonly account: AccountWire;
  readonly onDecide: (isConfirmed: boolean) => void;
}

function ConfirmDialog({ account, onDecide }: ConfirmProps) {
  const formId = useId();
  const [given, setGiven] = useState("");
  const { hasPassword, hasTwoFactor } = account;
  const isTyped = hasPassword || hasTwoFactor;
  const confirming = useMutation({
    mutationFn: (by: "typed" | "passkey") =>
      by === "passkey"
        ? confirmByPasskey()
        : api("POST /api/account/confirm", {
            body: hasPassword ? { password: given } : { code: given },
          }),
    onSuccess: () => onDecide(true),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    confirming.mutate("typed");
  };
  return (
    <Dialog
      open
      onOpenChange={() => onDecide(false)}
      title="Confirm that it's you"
      description="Your last sign-in was a while ago, and this changes who can get into your account."
      footer={
        <>
          <Button onClick={() => onDecide(false)}>Cancel</Button>
          {isTyped && (
            <Button variant="primary" type="submit" form={formId} busy={confirming.isPending}>
              Confirm
            </Button>
          )}
        </>
      }
    >
      <form id={formId} onSubmit={submit} className="flex flex-col gap-4">
        {confirming.isError && !wasDismissed(confirming.error) && (
          <ErrorNotice>{errorSentence(confirming.error)}</ErrorNotice>
        )}
        {isTyped && (
          <InputField
            label={hasPassword ? "Password" : "Code from the app"}
            type={hasPassword ? "password" : "text"}
            inputMode={hasPassword ? undefined : "numeric"}
            autoComplete={hasPassword ? "current-password" : "one-time-code"}
            required
            value={given}
            onChange={(event) => setGiven(event.target.value)}
          />
        )}
        <OtherWays account={account} onPasskey={() => confirming.mutate("passkey")} />
      </form>
    </Dialog>
  );
}

/** A sign-in server confirms by another sign-in, which comes back to the settings. */
function OtherWays({ account, onPasskey }: { account: AccountWire; onPasskey: () => void }) {
  const leaving = useMutation({
    mutationFn: (provider: string) =>
      api("POST /api/account/sign-in/provider", {
        body: { provider, next: "/settings?section=account" },
      }),
    onSuccess: ({ page }) => location.assign(page),
  });
  return (
    <>
      {leaving.isError && <ErrorNotice>{errorSentence(leaving.error)}</ErrorNotice>}
      {account.passkeys.length > 0 && canUsePasskeys() && (
        <Button type="button" onClick={onPasskey}>
          Use a passkey
        </Button>
      )}
      {!account.hasPassword &&
        account.joined.map(({ provider, name }) => (
          <Button key={provider} type="button" onClick={() => leaving.mutate(provider)}>
            Sign in again with {name}
          </Button>
        ))}
    </>
  );
}
