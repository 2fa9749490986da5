"use client";

import { useMemo } from "react";
import { api } from "@/app/_api/api";
import { ApiError } from "@/app/_api/api-error";
import type { BlockScope } from "@/app/_api/query-keys";
import type { BlockWire } from "@/lib/chat/wire/memory";
import type { SavedText } from "./autosave-state";
import { useAutosave } from "./use-autosave";
import { useWriteBlock } from "./use-blocks";

/** Key of a block's draft, per session where the block is. */
export function blockDraftKey(
  sessionId: BlockScope,
  block: Pick<BlockWire, "id" | "scope">,
): string {
  return `block:${block.scope === "session" ? sessionId : "owner"}:${block.id}`;
}

/** See {@link useAutosave}. */
export function useBlockAutosave(sessionId: BlockScope, block: BlockWire) {
  const { mutateAsync } = useWriteBlock(sessionId);
  const { id: blockId, content, version } = block;
  return useAutosave({
    saved: useMemo(() => ({ content, version }), [content, version]),
    draftKey: blockDraftKey(sessionId, block),
    write: async (text, expectedVersion) =>
      (await mutateAsync({ blockId, content: text, expectedVersion })).version,
    reread: () => readBlock(sessionId, block),
  });
}

async function readBlock(
  sessionId: BlockScope,
  { id, label }: Pick<BlockWire, "id" | "label">,
): Promise<SavedText> {
  const { blocks } = await api("GET /api/blocks", { query: { session: sessionId } });
  const block = blocks.find((each) => each.id === id);
  if (block) return { content: block.content, version: block.version };
  throw new ApiError(`The section “${label}” no longer exists. Your text is kept here.`, {
    code: "block-not-found",
    status: 404,
  });
}
