"use client";

import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "@/app/_api/api";
import { queryKeys } from "@/app/_api/query-keys";
import { usePageSettled } from "@/app/_ui/use-page-settled";

/**
 * What the model would be given after `leaf`: blocks, frozen prompt, changes since, loaded skills and the gauge; `null` means
 * before the first message, `undefined` where the session was left. The server reads the whole history for it, so a page
 * asks once it has shown its messages.
 */
export function useContextOf(sessionId: string | null, leaf: string | null | undefined) {
  const isSettled = usePageSettled();
  return useQuery({
    queryKey: queryKeys.context(sessionId ?? "", leaf),
    queryFn: ({ signal }) =>
      api("GET /api/sessions/:sessionId/context", {
        params: { sessionId: sessionId ?? "" },
        query: leaf === null ? { start: "1" } : { leaf },
        signal,
      }),
    enabled: sessionId !== null && isSettled,
    placeholderData: keepPreviousData,
  });
}

/** Renders the frozen prompt anew from the blocks as they are. */
export function useRefreshContext(sessionId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () =>
      api("POST /api/sessions/:sessionId/context/refresh", { params: { sessionId } }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.contexts(sessionId) }),
  });
}

export interface SkillLoading {
  label: string;
  key: string;
  action: "load" | "unload";
}

/** Loads a skill into a session's context, or takes it out. Outside a session (`null`) nothing can be loaded. */
export function useSkillLoading(sessionId: string | null) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: SkillLoading) =>
      api("POST /api/sessions/:sessionId/skills", { params: { sessionId: sessionId ?? "" }, body }),
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: queryKeys.contexts(sessionId ?? "") }),
        client.invalidateQueries({ queryKey: queryKeys.memory }),
      ]),
  });
}

/** Exactly what the model was given for one answer; `null` reads nothing. */
export function useReceipt(sessionId: string, messageId: string | null) {
  return useQuery({
    queryKey: queryKeys.receipt(sessionId, messageId ?? ""),
    queryFn: ({ signal }) =>
      api("GET /api/sessions/:sessionId/messages/:messageId/receipt", {
        params: { sessionId, messageId: messageId ?? "" },
        signal,
      }),
    enabled: messageId !== null,
  });
}
