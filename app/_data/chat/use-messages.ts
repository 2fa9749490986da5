"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/app/_api/api";
import { queryKeys } from "@/app/_api/query-keys";
import type { GroveMessage } from "@/lib/chat/wire/messages";

export function usePinMessage(sessionId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ messageId, pinned }: { messageId: string; pinned: boolean }) =>
      api("PATCH /api/sessions/:sessionId/messages/:messageId", {
        params: { sessionId, messageId },
        body: { pinned },
      }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.session(sessionId) }),
  });
}

export function useLabelMessage(sessionId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ messageId, label }: { messageId: string; label: string | null }) =>
      api("PATCH /api/sessions/:sessionId/messages/:messageId", {
        params: { sessionId, messageId },
        body: { label },
      }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.session(sessionId) }),
  });
}

export function useSendInFull(sessionId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationKey: queryKeys.contexts(sessionId),
    mutationFn: ({ messageId, toolCallId, value }: SendingInFull) =>
      api("PATCH /api/sessions/:sessionId/messages/:messageId", {
        params: { sessionId, messageId },
        body: { sendInFull: { toolCallId, value } },
      }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.contexts(sessionId) }),
  });
}

interface SendingInFull {
  messageId: string;
  toolCallId: string;
  value: boolean;
}

/** `deletionId` undoes it, and makes a retry delete nothing again. */
export function useDeleteMessages(sessionId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: {
      ids: string[];
      subtree?: boolean;
      deletionId: string;
      continueAt?: "parent";
    }) => api("DELETE /api/sessions/:sessionId/messages", { params: { sessionId }, body }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.session(sessionId) }),
  });
}

export function useRestoreMessages(sessionId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (deletionId: string) =>
      api("POST /api/sessions/:sessionId/messages/restore", {
        params: { sessionId },
        body: { deletionId },
      }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.session(sessionId) }),
  });
}

/** Reads a message; `null` when it no longer exists. */
export function useMessage(sessionId: string) {
  return useMutation({
    mutationFn: async (messageId: string): Promise<GroveMessage | null> => {
      const { entries } = await api("GET /api/sessions/:sessionId/transcript", {
        params: { sessionId },
        query: { leaf: messageId, limit: 1, overlays: 0 },
      });
      return entries.find(({ message }) => message.id === messageId)?.message ?? null;
    },
  });
}
