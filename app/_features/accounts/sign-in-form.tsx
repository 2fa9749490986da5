"use client";

import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useEffect, useState } from "react";
import { api } from "@/app/_api/api";
import { errorSentence } from "@/app/_api/api-error";
import { Failure } from "@/app/_api/failure";
import { toastError } from "@/app/_api/toast-error";
import { joining } from "@/app/_data/accounts/joining";
import { canUsePasskeys, signInByPasskey } from "@/app/_data/accounts/passkeys";
import { wasDismissed } from "@/app/_data/forms/use-form";
import { Button } from "@/app/_ui/button";
import { InputField } from "@/app/_ui/fields";
import { ErrorNotice } from "@/app/_ui/notice";
import { useIsHydrating } from "@/app/_ui/page-phase";
import { Door, enter, useCode, useSignIn } from "./door";

export interface SignInFormProps {
  next: string | null;
  problem: string | null;
  providers: readonly { readonly id: string; readonly name: string }[];
  isFirst: boolean;
}

export function SignInForm({ next, problem, providers, isFirst }: SignInFormProps) {
  const signingIn = useSignIn();
  const isHydrating = useIsHydrating();
  useEffect(() => joining.remember(next), [next]);
  if (signingIn.data?.needsCode) return <CodeForm next={next} />;

  // The form's own values count: a person or their browser may have filled it in before hydration.
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    signingIn.mutate(
      { email: String(form.get("email")), password: String(form.get("password")) },
      { onSuccess: ({ needsCode }) => needsCode || enter(next) },
    );
  };
  const sentence = signingIn.isError ? errorSentence(signingIn.error) : problem;

  return (
    <Door
      title="Sign in"
      note={
        isFirst && (
          <>
            This Grove has no account yet. Open the link in its log, or run{" "}
            <code>npm run account:link</code> where it is installed.
          </>
        )
      }
    >
      {sentence && <ErrorNotice>{sentence}</ErrorNotice>}
      <form method="post" onSubmit={submit} className="flex flex-col gap-4">
        <InputField
          label="E-mail"
          type="email"
          name="email"
          autoComplete="username webauthn"
          required
        />
        <InputField
          label="Password"
          type="password"
          name="password"
          autoComplete="current-password"
          required
        />
        <Button
          variant="primary"
          size="lg"
          type="submit"
          disabled={isHydrating}
          busy={signingIn.isPending || signingIn.isSuccess}
        >
          Sign in
        </Button>
      </form>
      <OtherWays next={next} providers={providers} />
      {!isFirst && (
        <p className="text-muted text-xs">
          Forgot your password? The owner of this Grove makes a link for a new one with{" "}
          <code>npm run account:link</code> and your e-mail address.
        </p>
      )}
    </Door>
  );
}

function OtherWays({ next, providers }: Pick<SignInFormProps, "next" | "providers">) {
  const [hasPasskeys, setHasPasskeys] = useState(false);
  useEffect(() => setHasPasskeys(canUsePasskeys()), []);
  const byPasskey = useMutation({
    mutationFn: signInByPasskey,
    onSuccess: () => enter(next),
    onError: (error) => wasDismissed(error) || toastError(error),
  });
  const elsewhere = useMutation({
    mutationFn: (provider: string) =>
      api("POST /api/account/sign-in/provider", { body: { provider, next: next ?? "/" } }),
    onSuccess: ({ page }) => location.assign(page),
    onError: toastError,
  });
  return (
    <div className="flex flex-col gap-2">
      {hasPasskeys && (
        <Button size="lg" busy={byPasskey.isPending} onClick={() => byPasskey.mutate()}>
          Sign in with a passkey
        </Button>
      )}
      {providers.map(({ id, name }) => (
        <Button key={id} size="lg" busy={elsewhere.isPending} onClick={() => elsewhere.mutate(id)}>
          Sign in with {name}
        </Button>
      ))}
    </div>
  );
}

function CodeForm({ next }: { next: string | null }) {
  const checking = useCode();
  const [code, setCode] = useState("");
  const [isRecovery, setIsRecovery] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    checking.mutate({ code, isRecovery }, { onSuccess: () => enter(next) });
  };
  return (
    <Door
      title="Enter your code"
      note={
        isRecovery
          ? "One of the recovery codes you saved. Each works once."
          : "The six digits your authenticator app shows for Grove."
      }
    >
      <Failure of={checking} />
      <form method="post" onSubmit={submit} className="flex flex-col gap-4">
        <InputField
          label={isRecovery ? "Recovery code" : "Code"}
          name="code"
          autoComplete="one-time-code"
          inputMode={isRecovery ? "text" : "numeric"}
          required
          value={code}
          onChange={(event) => setCode(event.target.value)}
        />
        <Button
          variant="primary"
          size="lg"
          type="submit"
          busy={checking.isPending || checking.isSuccess}
        >
          Sign in
        </Button>
        <Button variant="ghost" onClick={() => setIsRecovery(!isRecovery)}>
          {isRecovery ? "Use the app instead" : "Use a recovery code"}
        </Button>
      </form>
    </Door>
  );
}
