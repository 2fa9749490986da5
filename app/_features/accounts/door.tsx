"use client";

import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { z } from "zod";
import { api } from "@/app/_api/api";
import { pagePerson } from "@/app/_api/page-person";
import { Logo } from "@/app/_ui/logo";
import type { acceptRequest, codeRequest, signInRequest } from "@/lib/chat/wire/accounts";

export function Door({
  title,
  note,
  children,
}: {
  title: string;
  note?: ReactNode;
  children: ReactNode;
}) {
  return (
    <main id="main" className="flex min-h-dvh flex-col items-center px-4 py-10 sm:justify-center">
      <div className="w-full max-w-sm">
        <div className="mb-6 flex items-center gap-2">
          <Logo className="size-5.5 text-accent" />
          <span className="font-semibold text-base tracking-tight">Grove</span>
        </div>
        <h1 className="font-semibold text-2xl tracking-tight">{title}</h1>
        {note && <div className="mt-1.5 text-muted text-sm">{note}</div>}
        <div className="mt-6 flex flex-col gap-4">{children}</div>
      </div>
    </main>
  );
}

export function useSignIn() {
  return useMutation({
    mutationFn: (body: z.input<typeof signInRequest>) => api("POST /api/account/sign-in", { body }),
  });
}

export function useCode() {
  return useMutation({
    mutationFn: (body: z.input<typeof codeRequest>) =>
      api("POST /api/account/sign-in/code", { body }),
  });
}

export function useInvite() {
  return useMutation({
    mutationFn: (secret: string) => api("POST /api/account/invite", { body: { secret } }),
  });
}

export function useAccept() {
  return useMutation({
    mutationFn: (body: z.input<typeof acceptRequest>) => api("POST /api/account/accept", { body }),
  });
}

/** Loads the whole page, so that nothing of the last person stays. Opens this origin alone. */
export function enter(next: string | null): void {
  pagePerson.update(() => "leaving");
  const target = new URL(next ?? "/", location.origin);
  location.assign(target.origin === location.origin ? target.href : "/");
}
