"use client";

import { useState } from "react";
import type { MemoryScope } from "@/app/_api/query-keys";
import { useRereadMemory, useWriteBlock } from "@/app/_data/memory/use-blocks";
import { fenceAt, isClosingFence } from "@/app/_ui/markdown/fence";
import type { BlockWire } from "@/lib/chat/wire/memory";

/** A task mark stands before a word, as in `- [ ] Buy seeds`, also in quotes. */
const taskItem = /^[\s>]*(?:[-*+]|\d{1,9}[.)])\s+\[([ xX])\](?=\s+\S)/;

/** Offsets between the brackets. */
export function taskMarks(text: string): number[] {
  const marks: number[] = [];
  let offset = 0;
  let fence: ReturnType<typeof fenceAt> = null;
  for (const line of text.split("\n")) {
    const item = fence ? null : taskItem.exec(line);
    if (item) marks.push(offset + item[0].length - 2);
    if (fence) fence = isClosingFence(line, fence) ? null : fence;
    else fence = fenceAt(line);
    offset += line.length + 1;
  }
  return marks;
}

export function ticked(text: string, index: number): string | null {
  const mark = taskMarks(text)[index];
  if (mark === undefined) return null;
  return `${text.slice(0, mark)}${text[mark] === " " ? "x" : " "}${text.slice(mark + 1)}`;
}

export function useTicking(scope: MemoryScope, block: BlockWire) {
  const { mutate, error } = useWriteBlock(scope);
  const { reread } = useRereadMemory();
  // React would show the old mark again until the mutation reports itself.
  const [written, setWritten] = useState<string | null>(null);

  function tick(index: number): void {
    const content = ticked(block.content, index);
    if (written !== null || content === null) return;
    setWritten(content);
    const change = { blockId: block.id, content, expectedVersion: block.version };
    mutate(change, { onError: reread, onSettled: () => setWritten(null) });
  }

  return { tick, error, content: written ?? block.content };
}
