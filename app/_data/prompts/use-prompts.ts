"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "@/app/_api/api";
import { queryKeys } from "@/app/_api/query-keys";
import { toastError } from "@/app/_api/toast-error";
import { toastUndo } from "@/app/_ui/toast";
import type { PromptsWire, PromptWire } from "@/lib/chat/wire/prompts";

export function usePrompts({ isWanted = true }: { isWanted?: boolean } = {}) {
  return useQuery({
    queryKey: queryKeys.prompts,
    queryFn: ({ signal }) => api("GET /api/prompts", { signal }),
    enabled: isWanted,
    staleTime: 60_000,
  });
}

export function useWritePrompt() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ...body }: PromptWire) =>
      api("PUT /api/prompts/:promptId", { params: { promptId: id }, body }),
    onSuccess: (prompts: PromptsWire) => client.setQueryData(queryKeys.prompts, prompts),
  });
}

export function useDeletePrompt(): (prompt: PromptWire) => void {
  const client = useQueryClient();
  const { mutate: write } = useWritePrompt();
  const { mutate } = useMutation({
    mutationFn: ({ id }: PromptWire) =>
      api("DELETE /api/prompts/:promptId", { params: { promptId: id } }),
    onSuccess: (prompts: PromptsWire, deleted) => {
      client.setQueryData(queryKeys.prompts, prompts);
      toastUndo(`Prompt /${deleted.name} deleted.`, () => write(deleted, { onError: toastError }));
    },
    onError: toastError,
  });
  return mutate;
}

interface FieldPlace {
  readonly start: number;
  readonly end: number;
}

export function nextField(
  text: string,
  from: number,
  { backwards = false }: { readonly backwards?: boolean } = {},
): FieldPlace | null {
  const places = [...text.matchAll(/\{\{[^{}\n]{1,60}\}\}/g)].map(({ index, 0: field }) => ({
    start: index,
    end: index + field.length,
  }));
  if (backwards) return places.findLast(({ end }) => end < from) ?? places.at(-1) ?? null;
  return places.find(({ start }) => start >= from) ?? places[0] ?? null;
}
