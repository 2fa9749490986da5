"use client";

import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import { api } from "@/app/_api/api";
import { ApiError } from "@/app/_api/api-error";
import { type MemoryScope, queryKeys } from "@/app/_api/query-keys";
import { toastError, toastRetry } from "@/app/_api/toast-error";
import { useSkillLoading } from "@/app/_data/context/use-context-of";
import { rereadMemory, useMemoryWrite } from "@/app/_data/memory/use-blocks";
import { isolated } from "@/app/_ui/isolated";
import { toastUndo } from "@/app/_ui/toast";
import type { BlockWire, EntryDocumentWire, writeEntryRequest } from "@/lib/chat/wire/memory";

export function useEntries(scope: MemoryScope, blockId: string, q = "") {
  return useQuery({
    queryKey: queryKeys.entries(scope, blockId, q),
    queryFn: ({ signal }) => readEntries(scope, blockId, { q, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      data?.some(({ file }) => file?.unread) ? readingSeenMs : false,
  });
}

const readingSeenMs = 1_500;

export async function readEntries(
  scope: MemoryScope,
  blockId: string,
  { q = "", signal }: { q?: string; signal?: AbortSignal } = {},
): Promise<EntryDocumentWire[]> {
  const query = { session: scope, q };
  return (await api("GET /api/blocks/:blockId/entries", { params: { blockId }, query, signal }))
    .entries;
}

export function useEntry(blockId: string, key: string) {
  return useQuery({
    queryKey: queryKeys.entry(blockId, key),
    queryFn: ({ signal }) =>
      api("GET /api/blocks/:blockId/entries/:key", { params: { blockId, key }, signal }),
  });
}

export function useEntryVersions(scope: MemoryScope, blockId: string, key: string | null) {
  return useQuery({
    queryKey: queryKeys.entryVersions(scope, blockId, key ?? ""),
    queryFn: async ({ signal }) => {
      const { versions } = await api("GET /api/blocks/:blockId/entries/:key/versions", {
        params: { blockId, key: key ?? "" },
        query: { session: scope },
        signal,
      });
      return versions;
    },
    enabled: key !== null,
  });
}

export type EntryChange = z.input<typeof writeEntryRequest> & { blockId: string; key?: string };

export function writeEntry(
  scope: MemoryScope,
  { blockId, key, ...body }: EntryChange,
): Promise<unknown> {
  const query = { session: scope };
  return key === undefined
    ? api("POST /api/blocks/:blockId/entries", { params: { blockId }, query, body })
    : api("PUT /api/blocks/:blockId/entries/:key", { params: { blockId, key }, query, body });
}

export function useWriteEntry(scope: MemoryScope) {
  return useMemoryWrite((change: EntryChange) => writeEntry(scope, change));
}

interface EntryDeletion {
  blockId: string;
  entry: EntryDocumentWire;
  deletionId: string;
}

/** Deletes the version that is shown, not one written since. */
function useDeleteEntry(scope: MemoryScope) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ blockId, entry, deletionId }: EntryDeletion) =>
      api("DELETE /api/blocks/:blockId/entries/:key", {
        params: { blockId, key: entry.key },
        query: { session: scope, expectedVersion: entry.version, deletionId },
      }),
    onSettled: () => rereadMemory(client),
  });
}

export function useEntryActions(sessionId: MemoryScope, block: Pick<BlockWire, "id" | "label">) {
  const client = useQueryClient();
  const deletion = useDeleteEntry(sessionId);
  const loading = useSkillLoading(sessionId);

  function remove(entry: EntryDocumentWire, deletionId: string = crypto.randomUUID()) {
    deletion.mutate(
      { blockId: block.id, entry, deletionId },
      {
        onSuccess: (made) =>
          toastUndo(`“${isolated(entry.title)}” deleted.`, () => void restore(made.deletionId)),
        onError: (error) => {
          if (error instanceof ApiError && error.code === "block-conflict")
            toastError(
              `“${isolated(entry.title)}” has changed since it was shown, so it was not deleted.`,
            );
          else toastRetry(error, () => remove(entry, deletionId));
        },
      },
    );
  }

  async function restore(deletionId: string) {
    try {
      await api("POST /api/deletions/:deletionId/restore", { params: { deletionId } });
      await rereadMemory(client);
    } catch (error) {
      toastRetry(error, () => void restore(deletionId));
    }
  }

  function setLoaded(entry: EntryDocumentWire, loaded: boolean) {
    loading.mutate(
      { label: block.label, key: entry.key, action: loaded ? "load" : "unload" },
      { onError: toastError },
    );
  }

  return {
    remove: (entry: EntryDocumentWire) => remove(entry),
    setLoaded,
    loadingKey: loading.isPending ? loading.variables.key : null,
  };
}

export type EntryActions = ReturnType<typeof useEntryActions>;
