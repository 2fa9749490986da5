"use client";

import { type FormEvent, useEffect, useState } from "react";
import { ApiError, errorSentence } from "@/app/_api/api-error";
import { SwitchLine } from "@/app/_features/settings/switch-line";
import { Button } from "@/app/_ui/button";
import { InputField } from "@/app/_ui/fields";
import { Skeleton } from "@/app/_ui/loading";
import { ErrorNotice } from "@/app/_ui/notice";
import type { InviteWire } from "@/lib/chat/wire/accounts";
import { Door } from "./door";
import { enter, useAccept, useInvite } from "./use-door";

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
  return <AcceptForm secret={secret} invite={invite.data} />;
}

function AcceptForm({ secret, invite }: { secret: string; invite: InviteWire }) {
  const accepting = useAccept();
  const [name, setName] = useState("");
  const [email, setEmail] = useState(invite.email ?? "");
  const [password, setPassword] = useState("");
  const [takesLocalData, setTakesLocalData] = useState(invite.localData !== null);
  const refusal = accepting.error instanceof ApiError ? accepting.error : null;
  const ofField = (code: string) => (refusal?.code === code ? refusal.message : null);
  const other =
    accepting.isError &&
    !ofField("bad-password") &&
    !ofField("bad-email") &&
    !ofField("email-taken")
      ? errorSentence(accepting.error)
      : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const body = { secret, name, email, password, takesLocalData };
    accepting.mutate(body, { onSuccess: () => enter("/") });
  };
  const isFirst = invite.role === "owner";
  return (
    <Door
      title={isFirst ? "Make the first account" : "Make your account"}
      note={
        isFirst
          ? "It administers this Grove: it invites people and gives them roles."
          : invite.role === "admin"
            ? "You are invited as an administrator. Nobody else can read your chats."
            : "Your chats and memory are yours: nobody else here can read them."
      }
    >
      {other && <ErrorNotice>{other}</ErrorNotice>}
      <form method="post" onSubmit={submit} className="flex flex-col gap-4">
        <InputField
          label="Name"
          autoComplete="name"
          required
          maxLength={80}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <InputField
          label="E-mail"
          type="email"
          autoComplete="username"
          required
          readOnly={invite.email !== null}
          hint="You sign in with it. Grove sends no mail."
          error={ofField("bad-email") ?? ofField("email-taken")}
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <InputField
          label="Password"
          type="password"
          autoComplete="new-password"
          required
          hint="At least 10 characters. A few unrelated words are good."
          error={ofField("bad-password")}
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        {invite.localData && (
          <SwitchLine
            label="Take over what is here"
            note={localWords(invite.localData)}
            checked={takesLocalData}
            onChange={setTakesLocalData}
          />
        )}
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

function localWords({ sessions, documents }: NonNullable<InviteWire["localData"]>): string {
  const chats = sessions === 1 ? "1 chat" : `${sessions} chats`;
  const texts = documents === 1 ? "1 memory text" : `${documents} memory texts`;
  return `${chats} and ${texts} written before there were accounts. Without this they stay hidden.`;
}
