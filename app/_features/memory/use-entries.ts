"use client";

import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import { api } from "@/app/_api/api";
import { type BlockScope, queryKeys } from "@/app/_api/query-keys";
import { useSkillLoading } from "@/app/_features/context/use-context-of";
import { toastError, toastUndo } from "@/app/_ui/toast";
import type { BlockWire, EntryDocumentWire, writeEntryRequest } from "@/lib/chat/wire/memory";
import { rereadMemory } from "./use-blocks";

export function useEntries(scope: BlockScope, blockId: string, q = "") {
  return useQuery({
    queryKey: queryKeys.entries(scope, blockId, q),
    queryFn: ({ signal }) => readEntries(scope, blockId, { q, signal }),
    placeholderData: keepPreviousData,
  });
}

/** @throws {ApiError} */
export async function readEntries(
  scope: BlockScope,
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

export function useEntryVersions(scope: BlockScope, blockId: string, key: string | null) {
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

export type EntryChange = z.input<typeof writeEntryRequest> & {
  blockId: string;
  key?: string;
};

/** Writes one entry; the caller reads memory again. @throws {ApiError} */
export function writeEntry(
  scope: BlockScope,
  { blockId, key, ...body }: EntryChange,
): Promise<unknown> {
  const query = { session: scope };
  return key === undefined
    ? api("POST /api/blocks/:blockId/entries", { params: { blockId }, query, body })
    : api("PUT /api/blocks/:blockId/entries/:key", { params: { blockId, key }, query, body });
}

export function useWriteEntry(scope: BlockScope) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: EntryChange) => writeEntry(scope, change),
    onSuccess: () => rereadMemory(client),
  });
}

function useDeleteEntry(scope: BlockScope) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (params: { blockId: string; key: string }) =>
      api("DELETE /api/blocks/:blockId/entries/:key", { params, query: { session: scope } }),
    onSuccess: () => rereadMemory(client),
  });
}

export function useEntryActions(sessionId: BlockScope, block: Pick<BlockWire, "id" | "label">) {
  const deletion = useDeleteEntry(sessionId);
  const writing = useWriteEntry(sessionId);
  const loading = useSkillLoading(sessionId);

  /** Deletes a skill with its files. */
  function remove(entry: EntryDocumentWire, files: readonly EntryDocumentWire[] = []) {
    deletion.mutate(
      { blockId: block.id, key: entry.key },
      {
        onSuccess: () =>
          toastUndo(`“${entry.title}” deleted.`, () => void restore([...files, entry])),
        onError: (error) => toastError(error, () => remove(entry, files)),
      },
    );
  }

  async function restore(entries: readonly EntryDocumentWire[]) {
    for (const [n, { key, title, description, content }] of entries.entries()) {
      try {
        const text = { title, content, ...(description === null ? {} : { description }) };
        await writing.mutateAsync({ blockId: block.id, key, ...text });
      } catch (error) {
        toastError(error, () => void restore(entries.slice(n)));
        return;
      }
    }
  }

  function setLoaded(entry: EntryDocumentWire, loaded: boolean) {
    loading.mutate(
      { label: block.label, key: entry.key, action: loaded ? "load" : "unload" },
      { onError: (error) => toastError(error) },
    );
  }

  return {
    remove,
    setLoaded,
    loadingKey: loading.isPending ? loading.variables.key : null,
  };
}

export type EntryActions = ReturnType<typeof useEntryActions>;
