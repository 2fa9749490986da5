"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { apiGet, apiPath, apiSend, withQuery } from "@/app/_api/api";
import { type BlockScope, queryKeys } from "@/app/_api/query-keys";
import type { BlockWire, VersionWire } from "@/lib/chat/wire/memory";

/** The blocks of a session, or with `null` those of every session. */
export function useBlocks(scope: BlockScope) {
  return useQuery({
    queryKey: queryKeys.blocks(scope),
    queryFn: async ({ signal }) => {
      const path = withQuery("/api/blocks", { session: scope });
      return (await apiGet<{ blocks: BlockWire[] }>(path, signal)).blocks;
    },
  });
}

/** Versions of a text block, newest first; a `null` label reads nothing. */
export function useBlockVersions(scope: BlockScope, label: string | null) {
  return useQuery({
    queryKey: queryKeys.blockVersions(scope, label ?? ""),
    queryFn: async ({ signal }) => {
      const path = withQuery(apiPath`/api/blocks/${label ?? ""}/versions`, { session: scope });
      return (await apiGet<{ versions: VersionWire[] }>(path, signal)).versions;
    },
    enabled: label !== null,
  });
}

export interface BlockChange {
  label: string;
  content: string;
  /** The edited version; when another is newest the write is refused with code `block-conflict`. */
  expectedVersion?: number;
}

/** Restoring a version is writing its content. */
export function useWriteBlock(scope: BlockScope) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ label, ...body }: BlockChange) =>
      apiSend<BlockWire>("PUT", withQuery(apiPath`/api/blocks/${label}`, { session: scope }), body),
    onSuccess: (block) => {
      client.setQueryData<BlockWire[]>(queryKeys.blocks(scope), (blocks) =>
        blocks?.map((other) => (other.label === block.label ? block : other)),
      );
      return rereadMemory(client);
    },
  });
}

/** Reads memory again after an external source was fixed. */
export function useRereadMemory() {
  const client = useQueryClient();
  const rereading = useMutation({ mutationFn: () => rereadMemory(client) });
  return { reread: () => rereading.mutate(), isRereading: rereading.isPending };
}

/** Reads memory and the contexts built from it again. */
export function rereadMemory(client: ReturnType<typeof useQueryClient>): Promise<unknown> {
  return Promise.all([
    client.invalidateQueries({ queryKey: queryKeys.memory }),
    client.invalidateQueries({
      queryKey: queryKeys.anySession,
      predicate: (query) => query.queryKey[2] === "context",
    }),
  ]);
}
