"use client";

import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import type { EntryDocumentWire, VersionWire, writeEntryRequest } from "@/lib/chat/wire";
import { apiGet, apiPath, apiSend, withQuery } from "./api";
import { type BlockScope, queryKeys } from "./query-keys";
import { rereadMemory } from "./use-blocks";

/** The entries of a keyed block (knowledge, skills), all of them or those that match `q`. */
export function useEntries(scope: BlockScope, label: string, q = "") {
  return useQuery({
    queryKey: queryKeys.entries(scope, label, q),
    queryFn: async ({ signal }) => {
      const path = withQuery(apiPath`/api/blocks/${label}/entries`, { session: scope, q });
      return (await apiGet<{ entries: EntryDocumentWire[] }>(path, signal)).entries;
    },
    placeholderData: keepPreviousData,
  });
}

/** One entry with its whole text, wherever it is kept. */
export function useEntry(label: string, key: string) {
  return useQuery({
    queryKey: queryKeys.entry(label, key),
    queryFn: ({ signal }) =>
      apiGet<EntryDocumentWire>(apiPath`/api/blocks/${label}/entries/${key}`, signal),
  });
}

/** Every version of one entry, newest first; `key` of `null` reads nothing. */
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
  /** Absent for a new entry, whose key is made from its title. */
  key?: string;
};

export function useWriteEntry(scope: BlockScope) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ label, key, ...body }: EntryChange) =>
      apiSend<unknown>(
        key === undefined ? "POST" : "PUT",
        withQuery(entryPath(label, key), { session: scope }),
        body,
      ),
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
