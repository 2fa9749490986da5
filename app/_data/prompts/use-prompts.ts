"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "@/app/_api/api";
import { queryKeys } from "@/app/_api/query-keys";
import { toastError } from "@/app/_api/toast-error";
import { toastUndo } from "@/app/_ui/toast";
import type { PromptsWire, PromptWire } from "@/lib/chat/wire/prompts";

/** Read only where they are wanted. */
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

/** Deletes at once, and offers to undo it. */
export function useDeletePrompt(): (prompt: PromptWire) => void {
  const client = useQueryClient();
  const { mutate: write } = useWritePrompt();
  const { mutate } = useMutation({
    mutationFn: ({ id }: PromptWire) =>
      api("DELETE /api/prompts/:promptId", { params: { promptId: id } }),
    onSuccess: (prompts: PromptsWire, deleted) => {
      client.setQueryData(queryKeys.prompts, prompts);
      toastUndo(`Prompt /${deleted.name} deleted.`, () =>
        write(deleted, { onError: (error) => toastError(error) }),
      );
    },
    onError: (error) => toastError(error),
  });
  return mutate;
}
