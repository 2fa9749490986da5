"use client";

import { useEffect, useEffectEvent, useMemo, useReducer } from "react";
import { api } from "@/app/_api/api";
import { ApiError, errorSentence } from "@/app/_api/api-error";
import type { MemoryScope } from "@/app/_api/query-keys";
import { readTextDraft, type TextDraft, writeTextDraft } from "@/app/_data/memory/text-draft";
import { useWriteBlock } from "@/app/_data/memory/use-blocks";
import type { BlockWire } from "@/lib/chat/wire/memory";
import {
  type AutosaveState,
  autosaveReducer,
  autosaveStart,
  type SavedText,
} from "./autosave-state";

export function blockDraftKey(
  sessionId: MemoryScope,
  block: Pick<BlockWire, "id" | "scope">,
): string {
  return `block:${block.scope === "session" ? sessionId : "owner"}:${block.id}`;
}

/** Concurrent versions are never overwritten: both are kept until one is chosen. */
export function useBlockAutosave(sessionId: MemoryScope, block: BlockWire) {
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
  sessionId: MemoryScope,
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

/** The pause batches words, yet ends before the reader looks away. */
const quietMs = 800;

interface AutosaveOptions {
  saved: SavedText;
  draftKey: string;
  /** Rejects with code `block-conflict` when another version is newest; returns the new version. */
  write: (content: string, expectedVersion: number) => Promise<number>;
  reread: () => Promise<SavedText>;
}

function useAutosave({ saved, draftKey, write, reread }: AutosaveOptions) {
  const [state, dispatch] = useReducer(autosaveReducer, null, () => start(saved, draftKey));
  const { phase, text, base } = state;

  const save = useEffectEvent(async () => {
    dispatch({ type: "save-started" });
    try {
      dispatch({ type: "saved", version: await write(text, base.version) });
    } catch (error) {
      await settleRefusal(error);
    }
  });

  async function settleRefusal(error: unknown) {
    try {
      if (!(error instanceof ApiError) || error.code !== "block-conflict") throw error;
      dispatch({ type: "conflicted", theirs: await reread() });
    } catch (cause) {
      dispatch({ type: "save-failed", error: errorSentence(cause) });
    }
  }

  const leave = useEffectEvent(() => {
    if (phase !== "dirty") return;
    // After unmounting, a failed write leaves the draft.
    void write(text, base.version).then(
      () => writeTextDraft(draftKey, null),
      () => undefined,
    );
  });

  useEffect(() => {
    dispatch({ type: "changed-elsewhere", now: saved });
  }, [saved]);

  useEffect(() => {
    writeTextDraft(draftKey, draftOf(phase, { text, version: base.version }));
  }, [draftKey, phase, text, base.version]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: every change of the text restarts the wait
  useEffect(() => {
    if (phase !== "dirty") return;
    const timer = setTimeout(() => void save(), quietMs);
    return () => clearTimeout(timer);
  }, [phase, text]);

  useEffect(() => () => leave(), []);

  return {
    state,
    type: (next: string) => dispatch({ type: "typed", text: next }),
    keepMine: () => dispatch({ type: "keep-mine" }),
    takeTheirs: () => dispatch({ type: "take-theirs" }),
    discard: () => dispatch({ type: "discarded" }),
  };
}

function start(saved: SavedText, draftKey: string): AutosaveState {
  const draft = readTextDraft(draftKey);
  if (!draft) return autosaveStart(saved);
  return autosaveStart({ content: saved.content, version: draft.version }, draft.text);
}

function draftOf(phase: AutosaveState["phase"], draft: TextDraft): TextDraft | null {
  return phase === "clean" || phase === "saved" ? null : draft;
}
