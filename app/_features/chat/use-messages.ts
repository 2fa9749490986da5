"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { apiGet, apiPath, apiSend, withQuery } from "@/app/_api/api";
import { queryKeys } from "@/app/_api/query-keys";
import type { EntryWire, GroveMessage, TranscriptWire } from "@/lib/chat/wire/messages";

export function usePinMessage(sessionId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ messageId, pinned }: { messageId: string; pinned: boolean }) =>
      apiSend<EntryWire>("PATCH", apiPath`/api/sessions/${sessionId}/messages/${messageId}`, {
        pinned,
      }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.session(sessionId) }),
  });
}

export function useLabelMessage(sessionId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ messageId, label }: { messageId: string; label: string | null }) =>
      apiSend<EntryWire>("PATCH", apiPath`/api/sessions/${sessionId}/messages/${messageId}`, {
        label,
      }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.session(sessionId) }),
  });
}

/** Has a tool output sent to the model in full, or shortened again. */
export function useSendInFull(sessionId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ messageId, toolCallId, value }: SendingInFull) =>
      apiSend<EntryWire>("PATCH", apiPath`/api/sessions/${sessionId}/messages/${messageId}`, {
        sendInFull: { toolCallId, value },
      }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.contexts(sessionId) }),
  });
}

interface SendingInFull {
  messageId: string;
  toolCallId: string;
  value: boolean;
}

export interface MessageDeletion {
  deletionId: string;
  messageIds: string[];
}

/** Deletes messages, optionally with their descendants. `deletionId` undoes it. */
export function useDeleteMessages(sessionId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { ids: string[]; subtree?: boolean }) =>
      apiSend<MessageDeletion>("DELETE", apiPath`/api/sessions/${sessionId}/messages`, {
        ...body,
      }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.session(sessionId) }),
  });
}

export function useRestoreMessages(sessionId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (deletionId: string) =>
      apiSend<unknown>("POST", apiPath`/api/sessions/${sessionId}/messages/restore`, {
        deletionId,
      }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.session(sessionId) }),
  });
}

/** Reads one message; `null` when it no longer exists. */
export function useMessage(sessionId: string) {
  return useMutation({
    mutationFn: async (messageId: string): Promise<GroveMessage | null> => {
      const path = apiPath`/api/sessions/${sessionId}/transcript`;
      const query = { leaf: messageId, limit: 1, overlays: 0 };
      const { entries } = await apiGet<TranscriptWire>(withQuery(path, query));
      return entries.find(({ message }) => message.id === messageId)?.message ?? null;
    },
  });
}
