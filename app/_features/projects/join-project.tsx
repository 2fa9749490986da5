"use client";

import { useMutation } from "@tanstack/react-query";
import { useEffect } from "react";
import { api } from "@/app/_api/api";
import { Failure } from "@/app/_api/failure";
import { joining } from "@/app/_data/accounts/joining";
import { Button } from "@/app/_ui/button";
import { isolated } from "@/app/_ui/isolated";
import { Logo } from "@/app/_ui/logo";
import { inSpace } from "@/app/_ui/page-space";

interface JoinProjectProps {
  readonly token: string;
  /** `null` for a link that leads nowhere. */
  readonly invitation: { readonly project: string; readonly by: string } | null;
}

export function JoinProject({ token, invitation }: JoinProjectProps) {
  const taking = useMutation({
    mutationFn: () => api("POST /api/projects/join", { body: { token } }),
    onSuccess: ({ id }) => location.assign(inSpace("/", id)),
  });
  useEffect(() => joining.forget(), []);
  return (
    <main id="main" className="flex min-h-dvh flex-col items-center px-4 py-10 sm:justify-center">
      <div className="flex w-full max-w-md flex-col gap-5">
        <div className="flex items-center gap-2">
          <Logo className="size-5.5 text-accent" />
          <span className="font-semibold text-base tracking-tight">Grove</span>
        </div>
        <div>
          <h1 className="font-semibold text-2xl tracking-tight">
            {invitation
              ? `Join the project “${isolated(invitation.project)}”?`
              : "This link leads nowhere"}
          </h1>
          <p className="mt-1.5 text-muted text-sm">
            {invitation
              ? `${isolated(invitation.by)} invites you to read it. Its members see your name, and you can leave at any time.`
              : "It was stopped, has ended or never was. Ask for another."}
          </p>
        </div>
        <Failure of={taking} />
        <div className="flex gap-2">
          {invitation && (
            <Button
              variant="primary"
              busy={taking.isPending || taking.isSuccess}
              onClick={() => taking.mutate()}
            >
              Join
            </Button>
          )}
          <Button asChild>
            <a href="/">{invitation ? "Not now" : "My chats"}</a>
          </Button>
        </div>
      </div>
    </main>
  );
}
