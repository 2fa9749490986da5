"use client";

import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "@/app/_api/api";
import { ApiError } from "@/app/_api/api-error";
import { queryKeys } from "@/app/_api/query-keys";
import { useWrite } from "@/app/_api/use-write";
import { usePageSettled } from "@/app/_ui/page-phase";

/**
 * The server reads the whole history for it, so pages ask after showing their messages. `null` means before the first
 * message, `undefined` the active leaf.
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

export function useRefreshContext(sessionId: string) {
  return useWrite(
    () => api("POST /api/sessions/:sessionId/context/refresh", { params: { sessionId } }),
    queryKeys.contexts(sessionId),
  );
}

export interface SkillLoading {
  label: string;
  key: string;
  action: "load" | "unload";
}

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

export function isReceiptAbsent(error: Error | null): boolean {
  return error instanceof ApiError && error.code === "receipt-not-found";
}
