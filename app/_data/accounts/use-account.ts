"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "@/app/_api/api";
import { toastError } from "@/app/_api/toast-error";
import type { AccountWire, PeopleWire } from "@/lib/chat/wire/accounts";
import { wasDismissed } from "./passkeys";

const accountKey = ["account"] as const;
const peopleKey = ["people"] as const;

export function useAccount(isNeeded = true) {
  return useQuery({
    queryKey: accountKey,
    queryFn: ({ signal }) => api("GET /api/account", { signal }),
    enabled: isNeeded,
  });
}

const exportCheckMs = 1_000;

/** True once the server has sent a whole export; looked up again and again while one is on its way. */
export function useExported(isUnderWay: boolean): boolean {
  const exported = useQuery({
    queryKey: [...accountKey, "exported"],
    queryFn: async ({ signal }) => (await api("GET /api/account", { signal })).exportedAt !== null,
    staleTime: 0,
    refetchInterval: ({ state }) => isUnderWay && state.data !== true && exportCheckMs,
  });
  return exported.data === true;
}

export function usePeople() {
  return useQuery({
    queryKey: peopleKey,
    queryFn: ({ signal }) => api("GET /api/people", { signal }),
  });
}

export function useAccountEvents() {
  return useQuery({
    queryKey: [...peopleKey, "events"],
    queryFn: ({ signal }) => api("GET /api/people/events", { signal }),
    staleTime: 0,
  });
}

/** Shows a failure as a toast, and what the account has become. */
export function useAccountChange<Input>(change: (input: Input) => Promise<AccountWire>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: (account) => client.setQueryData(accountKey, account),
    onError: (error) => wasDismissed(error) || toastError(error),
  });
}

/** Of what sets cookies and answers with no account: reads it again. */
export function useAccountAction<Input, Result>(act: (input: Input) => Promise<Result>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSuccess: () => client.invalidateQueries({ queryKey: accountKey }),
  });
}

export function usePeopleChange<Input>(change: (input: Input) => Promise<PeopleWire>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: (people) => {
      client.setQueryData(peopleKey, people);
      return client.invalidateQueries({ queryKey: [...peopleKey, "events"] });
    },
    onError: (error) => toastError(error),
  });
}

export function useInviteSomebody() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { role: "admin" | "member"; email: string | null }) =>
      api("POST /api/people/invites", { body }),
    onSuccess: () => client.invalidateQueries({ queryKey: peopleKey }),
  });
}
