"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "@/app/_api/api";
import { toastError } from "@/app/_api/toast-error";
import { useWrite } from "@/app/_api/use-write";
import { wasDismissed } from "@/app/_data/forms/use-form";
import type { AccountWire, PeopleWire } from "@/lib/chat/wire/accounts";

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

export function toastUnlessDismissed(error: Error): void {
  if (!wasDismissed(error)) toastError(error);
}

export function useAccountChange<Input>(change: (input: Input) => Promise<AccountWire>) {
  return useSaveAccount(change, toastUnlessDismissed);
}

export function useSaveAccount<Input>(
  save: (input: Input) => Promise<AccountWire>,
  onError?: (error: Error) => void,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: save,
    onSuccess: (account) => client.setQueryData(accountKey, account),
    ...(onError && { onError }),
  });
}

export function useAccountAction<Input, Result>(act: (input: Input) => Promise<Result>) {
  return useWrite(act, accountKey);
}

export function usePeopleChange<Input>(change: (input: Input) => Promise<PeopleWire>) {
  return useSavePeople(change, toastUnlessDismissed);
}

export function useSavePeople<Input>(
  save: (input: Input) => Promise<PeopleWire>,
  onError?: (error: Error) => void,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: save,
    onSuccess: (people) => {
      client.setQueryData(peopleKey, people);
      return client.invalidateQueries({ queryKey: [...peopleKey, "events"] });
    },
    ...(onError && { onError }),
  });
}

export function usePeopleAction<Input, Result>(act: (input: Input) => Promise<Result>) {
  return useWrite(act, peopleKey);
}
