"use client";

import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import { apiGet, apiPath, apiSend, withQuery } from "@/app/_api/api";
import { type BlockScope, queryKeys } from "@/app/_api/query-keys";
import type { EntryDocumentWire, VersionWire, writeEntryRequest } from "@/lib/chat/wire/memory";
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
  const path = withQuery(apiPath`/api/blocks/${blockId}/entries`, { session: scope, q });
  return (await apiGet<{ entries: EntryDocumentWire[] }>(path, signal)).entries;
}

export function useEntry(blockId: string, key: string) {
  return useQuery({
    queryKey: queryKeys.entry(blockId, key),
    queryFn: ({ signal }) =>
      apiGet<EntryDocumentWire>(apiPath`/api/blocks/${blockId}/entries/${key}`, signal),
  });
}

export function useEntryVersions(scope: BlockScope, blockId: string, key: string | null) {
  return useQuery({
    queryKey: queryKeys.entryVersions(scope, blockId, key ?? ""),
    queryFn: async ({ signal }) => {
      const path = apiPath`/api/blocks/${blockId}/entries/${key ?? ""}/versions`;
      return (
        await apiGet<{ versions: VersionWire[] }>(withQuery(path, { session: scope }), signal)
      ).versions;
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
  return apiSend<unknown>(
    key === undefined ? "POST" : "PUT",
    withQuery(entryPath(blockId, key), { session: scope }),
    body,
  );
}

export function useWriteEntry(scope: BlockScope) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: EntryChange) => writeEntry(scope, change),
    onSuccess: () => rereadMemory(client),
  });
}

export function useDeleteEntry(scope: BlockScope) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ blockId, key }: { blockId: string; key: string }) =>
      apiSend<unknown>("DELETE", withQuery(entryPath(blockId, key), { session: scope })),
    onSuccess: () => rereadMemory(client),
  });
}

function entryPath(blockId: string, key: string | undefined): string {
  return key === undefined
    ? apiPath`/api/blocks/${blockId}/entries`
    : apiPath`/api/blocks/${blockId}/entries/${key}`;
}
