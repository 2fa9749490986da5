"use client";

import { useMutation } from "@tanstack/react-query";
import { api } from "@/app/_api/api";
import { ApiError } from "@/app/_api/api-error";
import { Failure } from "@/app/_api/failure";
import { FormDialog } from "@/app/_data/forms/form-dialog";
import { dismissal, useForm } from "@/app/_data/forms/use-form";
import { Button } from "@/app/_ui/button";
import { InputField } from "@/app/_ui/fields";
import { createStore, useStore } from "@/app/_ui/store";
import type { AccountWire } from "@/lib/chat/wire/accounts";
import { canUsePasskeys, confirmByPasskey } from "./passkeys";
import { useAccount } from "./use-account";

interface OpenConfirmation {
  readonly decide: (isConfirmed: boolean) => void;
}

const asked = createStore<OpenConfirmation | null>(null);

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
  const { hasPassword, hasTwoFactor } = account;
  const isTyped = hasPassword || hasTwoFactor;
  const form = useForm({
    initial: { given: "" },
    save: ({ given }) =>
      api("POST /api/account/confirm", {
        body: hasPassword ? { password: given } : { code: given },
      }),
    onSaved: () => onDecide(true),
    fieldOf: () => null,
  });
  return (
    <FormDialog
      form={form}
      title="Confirm that it's you"
      description="Your last sign-in was a while ago, and this changes who can get into your account."
      saveLabel={isTyped ? "Confirm" : null}
      onClose={() => onDecide(false)}
    >
      {isTyped && (
        <InputField
          label={hasPassword ? "Password" : "Code from the app"}
          type={hasPassword ? "password" : "text"}
          inputMode={hasPassword ? undefined : "numeric"}
          autoComplete={hasPassword ? "current-password" : "one-time-code"}
          required
          {...form.text("given")}
        />
      )}
      <OtherWays
        account={account}
        onPasskey={() => form.saveBy(confirmByPasskey, () => onDecide(true))}
      />
    </FormDialog>
  );
}

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
      <Failure of={leaving} />
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
