"use client";

import type { BlockScope } from "@/app/_api/query-keys";
import type { BlockWire } from "@/lib/chat/wire/memory";
import { ticked } from "./task-items";
import { useRereadMemory, useWriteBlock } from "./use-blocks";

/** Toggles task items of a text block, each as a new version. */
export function useTicking(scope: BlockScope, block: BlockWire) {
  const { mutate, isPending, variables, error } = useWriteBlock(scope);
  const { reread } = useRereadMemory();

  function tick(index: number): void {
    const content = ticked(block.content, index);
    if (isPending || content === null) return;
    const change = { blockId: block.id, content, expectedVersion: block.version };
    mutate(change, { onError: reread });
  }

  return { tick, error, content: isPending ? variables.content : block.content };
}
