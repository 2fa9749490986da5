"use client";

import type { BlockScope } from "@/app/_api/query-keys";
import type { BlockWire } from "@/lib/chat/wire/memory";
import { ticked } from "./task-items";
import { useRereadMemory, useWriteBlock } from "./use-blocks";

/** Ticks the task items of a plain block, each a version of its own; `content` is the text as it will be. */
export function useTicking(scope: BlockScope, block: BlockWire) {
  const { mutate, isPending, variables, error } = useWriteBlock(scope);
  const { reread } = useRereadMemory();

  function tick(index: number): void {
    const content = ticked(block.content, index);
    if (isPending || content === null) return;
    const change = { label: block.label, content, expectedVersion: block.version };
    // Refused, somebody else has written: what they wrote is shown, to be ticked again.
    mutate(change, { onError: reread });
  }

  return { tick, error, content: isPending ? variables.content : block.content };
}
