"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { apiPath, apiSend } from "@/app/_api/api";
import { queryKeys } from "@/app/_api/query-keys";
import type { EntryWire } from "@/lib/chat/wire/messages";

/** Keeps a message verbatim when older ones are summarized, or lets it go. */
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

/** Gives a message a name, or takes it away with `null`. */
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

/** Deletes messages, alone or with everything under them. The answer's `deletionId` takes it back. */
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
