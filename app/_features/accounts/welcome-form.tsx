"use client";

import { type FormEvent, useEffect, useState } from "react";
import { ApiError, errorSentence } from "@/app/_api/api-error";
import { Failure } from "@/app/_api/failure";
import { joining } from "@/app/_data/accounts/joining";
import { Button } from "@/app/_ui/button";
import { InputField } from "@/app/_ui/fields";
import { Skeleton } from "@/app/_ui/loading";
import { ErrorNotice } from "@/app/_ui/notice";
import { SwitchLine } from "@/app/_ui/toggles";
import type { InviteWire } from "@/lib/chat/wire/accounts";
import { Door, enter, useAccept, useInvite } from "./door";

/** The secret is in the fragment of the link, which stays in the browser. */
export function WelcomeForm() {
  const invite = useInvite();
  const [secret, setSecret] = useState<string | null>(null);
  const { mutate } = invite;
  useEffect(() => {
    const given = location.hash.slice(1);
    setSecret(given);
    if (given) mutate(given);
  }, [mutate]);
  if (secret === "" || invite.isError) {
    return (
      <Door title="This link does not work">
        <ErrorNotice>
          {invite.isError
            ? errorSentence(invite.error)
            : "The address is not complete. Open the whole link."}
        </ErrorNotice>
      </Door>
    );
  }
  if (!invite.data || secret === null) {
    return (
      <Door title="Welcome">
        <Skeleton className="h-40 w-full rounded-xl" />
      </Door>
    );
  }
  const { name, email } = invite.data;
  return name !== null && email !== null ? (
    <NewPasswordForm secret={secret} name={name} email={email} />
  ) : (
    <AcceptForm secret={secret} invite={invite.data} />
  );
}

function NewPasswordForm({ secret, name, email }: { secret: string; name: string; email: string }) {
  const accepting = useAccept();
  const [password, setPassword] = useState("");
  const refusal = accepting.error instanceof ApiError ? accepting.error : null;
  const ofPassword = refusal?.code === "bad-password" ? refusal.message : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    accepting.mutate(
      { secret, name, email, password, takesLocalData: false },
      { onSuccess: () => enter("/") },
    );
  };
  return (
    <Door
      title="Choose a new password"
      note="Every device is signed out, and two-factor sign-in is turned off until you set it up again."
    >
      {!ofPassword && <Failure of={accepting} />}
      <form method="post" onSubmit={submit} className="flex flex-col gap-4">
        <InputField
          label="E-mail"
          type="email"
          autoComplete="username"
          readOnly
          hint={`The account of ${name}.`}
          value={email}
        />
        <InputField
          label="New password"
          type="password"
          autoComplete="new-password"
          required
          hint="At least 10 characters. A few unrelated words are good."
          error={ofPassword}
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        <Button
          variant="primary"
          size="lg"
          type="submit"
          busy={accepting.isPending || accepting.isSuccess}
        >
          Set password and sign in
        </Button>
      </form>
    </Door>
  );
}

function AcceptForm({ secret, invite }: { secret: string; invite: InviteWire }) {
  const accepting = useAccept();
  const [form, setForm] = useState<AcceptedForm>({
    name: "",
    email: invite.email ?? "",
    password: "",
    takesLocalData: invite.localData !== null,
  });
  const refusal = accepting.error instanceof ApiError ? accepting.error : null;
  const ofField = (code: FieldCode) => (refusal?.code === code ? refusal.message : null);
  const other =
    accepting.isError &&
    !ofField("bad-password") &&
    !ofField("bad-email") &&
    !ofField("email-taken")
      ? errorSentence(accepting.error)
      : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    accepting.mutate({ secret, ...form }, { onSuccess: () => enter(joining.page() ?? "/") });
  };
  return (
    <Door
      title={invite.role === "owner" ? "Create the administrator account" : "Create your account"}
      note={roleWords(invite.role)}
    >
      {other && <ErrorNotice>{other}</ErrorNotice>}
      <form method="post" onSubmit={submit} className="flex flex-col gap-4">
        <AcceptFields
          invite={invite}
          form={form}
          ofField={ofField}
          onChange={(next) => setForm((before) => ({ ...before, ...next }))}
        />
        <Button
          variant="primary"
          size="lg"
          type="submit"
          busy={accepting.isPending || accepting.isSuccess}
        >
          Create account
        </Button>
      </form>
    </Door>
  );
}

interface AcceptedForm {
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly takesLocalData: boolean;
}

type FieldCode = "bad-password" | "bad-email" | "email-taken";

interface AcceptFieldsProps {
  readonly invite: InviteWire;
  readonly form: AcceptedForm;
  readonly ofField: (code: FieldCode) => string | null;
  readonly onChange: (next: Partial<AcceptedForm>) => void;
}

function AcceptFields({ invite, form, ofField, onChange }: AcceptFieldsProps) {
  return (
    <>
      <InputField
        label="Name"
        autoComplete="name"
        required
        maxLength={80}
        value={form.name}
        onChange={(event) => onChange({ name: event.target.value })}
      />
      <InputField
        label="E-mail"
        type="email"
        autoComplete="username"
        required
        readOnly={invite.email !== null}
        hint="You sign in with it. No mail is sent."
        error={ofField("bad-email") ?? ofField("email-taken")}
        value={form.email}
        onChange={(event) => onChange({ email: event.target.value })}
      />
      <InputField
        label="Password"
        type="password"
        autoComplete="new-password"
        required
        hint="At least 10 characters. A few unrelated words are good."
        error={ofField("bad-password")}
        value={form.password}
        onChange={(event) => onChange({ password: event.target.value })}
      />
      {invite.localData && (
        <SwitchLine
          label="Take over what is here"
          note={localWords(invite.localData)}
          checked={form.takesLocalData}
          onChange={(takesLocalData) => onChange({ takesLocalData })}
        />
      )}
    </>
  );
}

function roleWords(role: InviteWire["role"]): string {
  if (role === "owner") return "You'll be the administrator.";
  return role === "admin"
    ? "You are invited as an administrator. Nobody else can read your chats."
    : "Your chats and memory are yours: nobody else here can read them.";
}

function localWords({ sessions, documents }: NonNullable<InviteWire["localData"]>): string {
  const chats = sessions === 1 ? "1 chat" : `${sessions} chats`;
  const texts = documents === 1 ? "1 memory text" : `${documents} memory texts`;
  return `${chats} and ${texts} written before there were accounts. Without this they stay hidden.`;
}
