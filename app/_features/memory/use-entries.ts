"use client";

import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import { apiGet, apiPath, apiSend, withQuery } from "@/app/_api/api";
import { type BlockScope, queryKeys } from "@/app/_api/query-keys";
import type { EntryDocumentWire, VersionWire, writeEntryRequest } from "@/lib/chat/wire/memory";
import { rereadMemory } from "./use-blocks";

/** Entries of a keyed block, or those that match `q`. */
export function useEntries(scope: BlockScope, label: string, q = "") {
  return useQuery({
    queryKey: queryKeys.entries(scope, label, q),
    queryFn: ({ signal }) => readEntries(scope, label, { q, signal }),
    placeholderData: keepPreviousData,
  });
}

/** @throws {ApiError} */
export async function readEntries(
  scope: BlockScope,
  label: string,
  { q = "", signal }: { q?: string; signal?: AbortSignal } = {},
): Promise<EntryDocumentWire[]> {
  const path = withQuery(apiPath`/api/blocks/${label}/entries`, { session: scope, q });
  return (await apiGet<{ entries: EntryDocumentWire[] }>(path, signal)).entries;
}

export function useEntry(label: string, key: string) {
  return useQuery({
    queryKey: queryKeys.entry(label, key),
    queryFn: ({ signal }) =>
      apiGet<EntryDocumentWire>(apiPath`/api/blocks/${label}/entries/${key}`, signal),
  });
}

/** Versions of one entry, newest first; a `null` key reads nothing. */
export function useEntryVersions(scope: BlockScope, label: string, key: string | null) {
  return useQuery({
    queryKey: queryKeys.entryVersions(scope, label, key ?? ""),
    queryFn: async ({ signal }) => {
      const path = apiPath`/api/blocks/${label}/entries/${key ?? ""}/versions`;
      return (
        await apiGet<{ versions: VersionWire[] }>(withQuery(path, { session: scope }), signal)
      ).versions;
    },
    enabled: key !== null,
  });
}

export type EntryChange = z.input<typeof writeEntryRequest> & {
  label: string;
  /** Absent for a new entry, whose key is derived from its title. */
  key?: string;
};

/** Writes one entry; the caller reads memory again. @throws {ApiError} */
export function writeEntry(
  scope: BlockScope,
  { label, key, ...body }: EntryChange,
): Promise<unknown> {
  return apiSend<unknown>(
    key === undefined ? "POST" : "PUT",
    withQuery(entryPath(label, key), { session: scope }),
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
    mutationFn: ({ label, key }: { label: string; key: string }) =>
      apiSend<unknown>("DELETE", withQuery(entryPath(label, key), { session: scope })),
    onSuccess: () => rereadMemory(client),
  });
}

function entryPath(label: string, key: string | undefined): string {
  return key === undefined
    ? apiPath`/api/blocks/${label}/entries`
    : apiPath`/api/blocks/${label}/entries/${key}`;
}
