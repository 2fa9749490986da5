"use client";

import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import { api } from "@/app/_api/api";
import { queryKeys } from "@/app/_api/query-keys";
import { toastRetry } from "@/app/_api/toast-error";
import { useWrite } from "@/app/_api/use-write";
import { toastUndo } from "@/app/_ui/toast";
import type { compactRequest, SummaryRunWire } from "@/lib/chat/wire/compaction";

export function useCompactionPreview(
  sessionId: string,
  leaf: string | null,
  { enabled, keepsPrevious = false }: { enabled: boolean; keepsPrevious?: boolean },
) {
  return useQuery({
    queryKey: queryKeys.compactionPreview(sessionId, leaf),
    queryFn: ({ signal }) =>
      api("GET /api/sessions/:sessionId/compactions/preview", {
        params: { sessionId },
        query: { leaf },
        signal,
      }),
    enabled,
    staleTime: 0,
    ...(keepsPrevious && { placeholderData: keepPreviousData }),
  });
}

export function useChangeCompaction(sessionId: string) {
  return useWrite(
    ({ id, summary }: { id: string; summary: string }) =>
      api("PATCH /api/sessions/:sessionId/compactions/:compactionId", {
        params: { sessionId, compactionId: id },
        body: { summary },
      }),
    queryKeys.session(sessionId),
  );
}

function useDeleteCompaction(sessionId: string) {
  return useWrite(
    (id: string) =>
      api("DELETE /api/sessions/:sessionId/compactions/:compactionId", {
        params: { sessionId, compactionId: id },
      }),
    queryKeys.session(sessionId),
  );
}

function useRestoreCompaction(sessionId: string) {
  return useWrite(
    (id: string) =>
      api("POST /api/sessions/:sessionId/compactions/:compactionId/restore", {
        params: { sessionId, compactionId: id },
      }),
    queryKeys.session(sessionId),
  );
}

type CompactWish = z.input<typeof compactRequest>;

export function useCompacting(sessionId: string) {
  const client = useQueryClient();

  return async function compact(wish: CompactWish): Promise<void> {
    try {
      const { summary } = await api("POST /api/sessions/:sessionId/compactions", {
        params: { sessionId },
        body: wish,
      });
      summariesAskedHere.add(summary);
      await client.invalidateQueries({ queryKey: queryKeys.transcripts(sessionId) });
    } catch (error) {
      toastRetry(error, () => void compact(wish));
    }
  };
}

export function useUndoCompaction(sessionId: string, onChanged?: () => void) {
  const deletion = useDeleteCompaction(sessionId);
  const restoring = useRestoreCompaction(sessionId);

  function restore(id: string) {
    restoring.mutate(id, {
      onSuccess: () => onChanged?.(),
      onError: (error) => toastRetry(error, () => restore(id)),
    });
  }

  // Callbacks would not run: the summary's row is gone before the response.
  async function undo(id: string) {
    try {
      await deletion.mutateAsync(id);
      toastUndo("Summary undone. Original messages restored.", () => restore(id));
      onChanged?.();
    } catch (error) {
      toastRetry(error, () => void undo(id));
    }
  }

  return { undo: (id: string) => void undo(id), isUndoing: deletion.isPending };
}

const asked = new Map<string, SummaryRunWire>();
const shown = new Set<string>();

export const summariesAskedHere = {
  add: (summary: SummaryRunWire) => void asked.set(summary.id, summary),
  has: (id: string) => asked.has(id),
  toShow: (sessionId: string) =>
    [...asked.values()].filter((each) => each.sessionId === sessionId && !shown.has(each.id)),
  showed: (id: string) => void shown.add(id),
};
