"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import { api } from "@/app/_api/api";
import { queryKeys } from "@/app/_api/query-keys";
import type { storeNoteRequest } from "@/lib/chat/wire/branches";

/** A branch that is left, and the message at which it goes on. */
export interface NotePlaces {
  from: string;
  to: string | null;
}

/** What a branch that is left holds beyond the one gone to. */
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

/** Has the session's model summarize what is left; stores nothing. */
export function useDraftNote(sessionId: string) {
  return useMutation({
    mutationFn: (places: NotePlaces) =>
      api("POST /api/sessions/:sessionId/notes/draft", { params: { sessionId }, body: places }),
  });
}

/** Stores what is brought along, as the message at which the session goes on. */
export function useStoreNote(sessionId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: z.input<typeof storeNoteRequest>) =>
      api("POST /api/sessions/:sessionId/notes", { params: { sessionId }, body }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.session(sessionId) }),
  });
}
