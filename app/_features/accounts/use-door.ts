"use client";

import { useMutation } from "@tanstack/react-query";
import type { z } from "zod";
import { api } from "@/app/_api/api";
import { pagePerson } from "@/app/_api/page-person";
import type { acceptRequest, codeRequest, signInRequest } from "@/lib/chat/wire/accounts";

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

/** Loads the whole page, so that it keeps nothing of the person before. Opens only addresses of this origin. */
export function enter(next: string | null): void {
  pagePerson.update(() => "leaving");
  const target = new URL(next ?? "/", location.origin);
  location.assign(target.origin === location.origin ? target.href : "/");
}
