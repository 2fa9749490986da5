"use client";

import { type QueryClient, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "@/app/_api/api";
import { tabId } from "@/app/_api/page-person";
import { type MemoryScope, queryKeys } from "@/app/_api/query-keys";
import { useServerEvent } from "@/app/_api/server-events";
import type { EventWire } from "@/lib/chat/wire/events";
import type { BlockWire, ChangeBlockRequest, CreateBlockRequest } from "@/lib/chat/wire/memory";

export function useBlocks(scope: MemoryScope) {
  return useQuery({
    queryKey: queryKeys.blocks(scope),
    queryFn: async ({ signal }) => {
      return (await api("GET /api/blocks", { query: { session: scope }, signal })).blocks;
    },
  });
}

/** Memory of a place, which may be another than that of the page. */
export function useBlocksOf(space: string | null, { enabled = true }: { enabled?: boolean } = {}) {
  return useQuery({
    queryKey: queryKeys.blocksIn(space),
    queryFn: async ({ signal }) => {
      const query = { session: null };
      return (await api("GET /api/blocks", { query, space, signal })).blocks;
    },
    enabled,
  });
}

export function useBlockLabel(
  scope: MemoryScope,
  { blockId, label }: { blockId?: string; label: string },
): string {
  const { data } = useBlocks(scope);
  return data?.find(({ id }) => id === (blockId ?? label))?.label ?? label;
}

export function useBlockVersions(scope: MemoryScope, blockId: string | null) {
  return useQuery({
    queryKey: queryKeys.blockVersions(scope, blockId ?? ""),
    queryFn: async ({ signal }) => {
      const { versions } = await api("GET /api/blocks/:blockId/versions", {
        params: { blockId: blockId ?? "" },
        query: { session: scope },
        signal,
      });
      return versions;
    },
    enabled: blockId !== null,
  });
}

export interface BlockTextChange {
  blockId: string;
  content: string;
  expectedVersion?: number;
}

export function useWriteBlock(scope: MemoryScope) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ blockId, ...body }: BlockTextChange) =>
      api("PUT /api/blocks/:blockId", { params: { blockId }, query: { session: scope }, body }),
    onSuccess: (block) => {
      client.setQueriesData<BlockWire[]>({ queryKey: queryKeys.blocksOf(scope, block) }, (blocks) =>
        blocks?.map((other) => (other.id === block.id ? block : other)),
      );
      return Promise.all([
        client.invalidateQueries({ queryKey: queryKeys.versionsOf(block.id) }),
        rereadContexts(client),
      ]);
    },
  });
}

export type BlockSetupChange =
  | { readonly blockId: null; readonly body: CreateBlockRequest }
  | { readonly blockId: string; readonly body: ChangeBlockRequest };

export function useSetUpBlock(scope: MemoryScope) {
  return useMemoryWrite(({ blockId, body }: BlockSetupChange) =>
    blockId === null
      ? api("POST /api/blocks", { query: { session: scope }, body })
      : api("PATCH /api/blocks/:blockId", {
          params: { blockId },
          query: { session: scope },
          body,
        }),
  );
}

export function useDeleteBlock(scope: MemoryScope) {
  return useMemoryWrite(({ blockId, deletionId }: { blockId: string; deletionId: string }) =>
    api("DELETE /api/blocks/:blockId", {
      params: { blockId },
      query: { session: scope, deletionId },
    }),
  );
}

export function useRestoreBlock(scope: MemoryScope) {
  return useMemoryWrite((blockId: string) =>
    api("POST /api/blocks/:blockId/restore", { params: { blockId }, query: { session: scope } }),
  );
}

export function useMemoryEvents(): void {
  const client = useQueryClient();
  useServerEvent((event) => {
    if (event.type !== "memory-changed" || event.origin === tabId) return;
    void rereadMemory(client);
    if (event.byProgram) void noticeProgramWrite(event, client);
  });
}

/** A notice that fails is not needed: the history of the text holds the write. */
async function noticeProgramWrite(
  event: Extract<EventWire, { type: "memory-changed" }>,
  client: QueryClient,
): Promise<void> {
  const notice = await import("./program-notice").catch(() => null);
  await notice?.noticeProgramWrite(event, () => rereadMemory(client)).catch(() => undefined);
}

export function useRereadMemory() {
  const client = useQueryClient();
  const rereading = useMutation({ mutationFn: () => rereadMemory(client) });
  return { reread: () => rereading.mutate(), isRereading: rereading.isPending };
}

export function useMemoryWrite<Input, Result>(write: (input: Input) => Promise<Result>) {
  const client = useQueryClient();
  return useMutation({ mutationFn: write, onSuccess: () => rereadMemory(client) });
}

export function rereadMemory(client: QueryClient): Promise<unknown> {
  return Promise.all([
    client.invalidateQueries({ queryKey: queryKeys.memory }),
    rereadContexts(client),
  ]);
}

function rereadContexts(client: QueryClient): Promise<unknown> {
  return client.invalidateQueries({
    queryKey: queryKeys.anySession,
    predicate: (query) => query.queryKey[2] === "context",
  });
}
