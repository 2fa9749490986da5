"use client";

import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import { api } from "@/app/_api/api";
import { queryKeys } from "@/app/_api/query-keys";
import { useWrite } from "@/app/_api/use-write";
import type {
  changeMessageRequest,
  deleteMessagesRequest,
  GroveMessage,
} from "@/lib/chat/wire/messages";

export function useVersions(sessionId: string, parentId: string) {
  return useQuery(versionsQuery(sessionId, parentId));
}

export function versionsQuery(sessionId: string, parentId: string) {
  return queryOptions({
    queryKey: queryKeys.versions(sessionId, parentId),
    queryFn: ({ signal }) =>
      api("GET /api/sessions/:sessionId/messages/:messageId/versions", {
        params: { sessionId, messageId: parentId },
        signal,
      }),
    staleTime: 0,
  });
}

function changeMessage(
  sessionId: string,
  messageId: string,
  body: z.input<typeof changeMessageRequest>,
) {
  const params = { sessionId, messageId };
  return api("PATCH /api/sessions/:sessionId/messages/:messageId", { params, body });
}

export function useBookmark(sessionId: string) {
  return useWrite(
    ({ id, ...body }: { id: string; pinned: boolean } | { id: string; label: string | null }) =>
      changeMessage(sessionId, id, body),
    queryKeys.session(sessionId),
  );
}

export function useSendInFull(sessionId: string) {
  const client = useQueryClient();
  const queryKey = queryKeys.contexts(sessionId);
  return useMutation({
    mutationKey: queryKey,
    mutationFn: ({ messageId, toolCallId, value }: SendingInFull) =>
      changeMessage(sessionId, messageId, { sendInFull: { toolCallId, value } }),
    onSuccess: () => client.invalidateQueries({ queryKey }),
  });
}

interface SendingInFull {
  messageId: string;
  toolCallId: string;
  value: boolean;
}

export function useDeleteMessages(sessionId: string) {
  return useWrite(
    (body: z.input<typeof deleteMessagesRequest>) =>
      api("DELETE /api/sessions/:sessionId/messages", { params: { sessionId }, body }),
    queryKeys.session(sessionId),
  );
}

export function useRestoreMessages(sessionId: string) {
  return useWrite(
    (deletionId: string) =>
      api("POST /api/sessions/:sessionId/messages/restore", {
        params: { sessionId },
        body: { deletionId },
      }),
    queryKeys.session(sessionId),
  );
}

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
