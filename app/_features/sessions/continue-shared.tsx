"use client";

import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api } from "@/app/_api/api";
import { Failure } from "@/app/_api/failure";
import { sessionAddress } from "@/app/_data/search/search-addresses";
import { Button } from "@/app/_ui/button";
import { SecretField } from "@/app/_ui/fields";
import { isolated } from "@/app/_ui/isolated";
import { Logo } from "@/app/_ui/logo";
import { ErrorNotice } from "@/app/_ui/notice";

interface ContinueSharedProps {
  readonly token: string;
  /** `null`: password or dead link. */
  readonly title: string | null;
  readonly isLocked?: boolean;
}

export function ContinueShared({ token, title, isLocked = false }: ContinueSharedProps) {
  const isGone = title === null && !isLocked;
  return (
    <main id="main" className="flex min-h-dvh flex-col items-center px-4 py-10 sm:justify-center">
      <div className="flex w-full max-w-md flex-col gap-5">
        <div className="flex items-center gap-2">
          <Logo className="size-5.5 text-accent" />
          <span className="font-semibold text-base tracking-tight">Grove</span>
        </div>
        <div>
          <h1 className="font-semibold text-2xl tracking-tight">
            {isGone
              ? "This link leads nowhere"
              : `Continue ${title === null ? "this chat" : `“${isolated(title)}”`} as yours?`}
          </h1>
          <p className="mt-1.5 text-muted text-sm">
            {isGone
              ? "It was stopped, has expired or never was."
              : "What its page shows is copied into your chats. What you write there is yours alone."}
          </p>
        </div>
        {!isGone && <CopyForm token={token} isLocked={isLocked} />}
      </div>
    </main>
  );
}

function CopyForm({ token, isLocked }: Pick<ContinueSharedProps, "token" | "isLocked">) {
  const [id] = useState(() => crypto.randomUUID());
  const [password, setPassword] = useState("");
  const copying = useMutation({
    mutationFn: () =>
      api("POST /api/shares/copies", { body: { token, id, ...(isLocked && { password }) } }),
    onSuccess: ({ sessionId, leftOut }) => {
      if (leftOut.length === 0) location.assign(sessionAddress(sessionId));
    },
  });
  const copy = (event: FormEvent) => {
    event.preventDefault();
    copying.mutate();
  };
  const { data: copied } = copying;
  if (copied && copied.leftOut.length > 0)
    return (
      <>
        <ErrorNotice>{`Copied, but not whole. ${copied.leftOut.join(" ")}`}</ErrorNotice>
        <Button asChild>
          <a href={sessionAddress(copied.sessionId)}>Open the chat</a>
        </Button>
      </>
    );
  return (
    <form className="flex flex-col gap-4" onSubmit={copy}>
      {isLocked && (
        <SecretField
          label="Password of the link"
          value={password}
          onChange={({ target }) => setPassword(target.value)}
        />
      )}
      <Failure of={copying} />
      <div className="flex gap-2">
        <Button type="submit" variant="primary" busy={copying.isPending || copying.isSuccess}>
          Copy to my chats
        </Button>
      </div>
    </form>
  );
}
