"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { apiPath, apiSend, withQuery } from "@/app/_api/api";
import type { BlockScope } from "@/app/_api/query-keys";
import type {
  BlockWire,
  ChangeBlockRequest,
  CreateBlockRequest,
  DeletedBlockWire,
} from "@/lib/chat/wire/memory";
import { rereadMemory } from "./use-blocks";

export type BlockSetupChange =
  | { readonly label: null; readonly body: CreateBlockRequest }
  | { readonly label: string; readonly body: ChangeBlockRequest };

/** Creates a block, or changes the settings of `label`. */
export function useSetUpBlock(scope: BlockScope) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ label, body }: BlockSetupChange) =>
      label === null
        ? apiSend<BlockWire>("POST", withQuery("/api/blocks", { session: scope }), body)
        : apiSend<BlockWire>("PATCH", blockPath(scope, label), body),
    onSuccess: () => rereadMemory(client),
  });
}

/** Deletes a block; the result undoes it. */
export function useDeleteBlock(scope: BlockScope) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (label: string) => apiSend<DeletedBlockWire>("DELETE", blockPath(scope, label)),
    onSuccess: () => rereadMemory(client),
  });
}

export function useRestoreBlock() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ deletionId }: DeletedBlockWire) =>
      apiSend<BlockWire>("POST", apiPath`/api/deleted-blocks/${deletionId}/restore`),
    onSuccess: () => rereadMemory(client),
  });
}

function blockPath(scope: BlockScope, label: string): string {
  return withQuery(apiPath`/api/blocks/${label}`, { session: scope });
}
