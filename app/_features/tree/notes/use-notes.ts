"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import { api } from "@/app/_api/api";
import { queryKeys } from "@/app/_api/query-keys";
import type { storeNoteRequest } from "@/lib/chat/wire/branches";

export interface NotePlaces {
  from: string;
  to: string | null;
}

/** Messages of the branch that is left and not of the current one. */
export function useNoteSource(sessionId: string, { from, to }: NotePlaces) {
  return useQuery({
    queryKey: queryKeys.noteSource(sessionId, from, to),
    queryFn: ({ signal }) =>
      api("GET /api/sessions/:sessionId/notes/source", {
        params: { sessionId },
        query: { from, to },
        signal,
      }),
  });
}

/** Drafts a summary without storing it. */
export function useDraftNote(sessionId: string) {
  return useMutation({
    mutationFn: (places: NotePlaces) =>
      api("POST /api/sessions/:sessionId/notes/draft", { params: { sessionId }, body: places }),
  });
}

export function useStoreNote(sessionId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: z.input<typeof storeNoteRequest>) =>
      api("POST /api/sessions/:sessionId/notes", { params: { sessionId }, body }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.session(sessionId) }),
  });
}
