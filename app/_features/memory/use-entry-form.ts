"use client";

import { useEffect, useState } from "react";
import { ApiError, errorSentence } from "@/app/_api/api-error";
import type { MemoryScope } from "@/app/_api/query-keys";
import { readTextDraft, writeTextDraft } from "@/app/_data/memory/text-draft";
import type { EntryDocumentWire } from "@/lib/chat/wire/memory";
import { readEntries, useWriteEntry } from "./use-entries";

export interface EntryFormOptions {
  sessionId: MemoryScope;
  blockId: string;
  entry: EntryDocumentWire | null;
  onSaved: () => void;
}

export function useEntryForm({ sessionId, blockId, entry, onSaved }: EntryFormOptions) {
  const writing = useWriteEntry(sessionId);
  const draftKey = `entry:${blockId}:${entry?.key ?? ""}`;
  const [draft] = useState(() => readEntryDraft(draftKey));
  const [text, setText] = useState(draft?.text ?? entryText(entry));
  const [version, setVersion] = useState(entry ? (draft?.version ?? entry.version) : null);
  const [conflict, setConflict] = useState<EntryDocumentWire | null>(null);
  const [discarded, setDiscarded] = useState<EntryText | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const isChanged = !sameText(text, entryText(entry));

  useEffect(() => {
    writeEntryDraft(draftKey, isChanged ? { text, version: version ?? 0 } : null);
  }, [draftKey, isChanged, text, version]);

  async function save(expectedVersion = version) {
    setProblem(null);
    try {
      await writing.mutateAsync({
        blockId,
        ...(entry ? { key: entry.key } : {}),
        ...bodyOf(text),
        ...(expectedVersion === null ? {} : { expectedVersion }),
      });
      writeEntryDraft(draftKey, null);
      onSaved();
    } catch (cause) {
      await explain(cause);
    }
  }

  async function explain(cause: unknown) {
    const isConflict = cause instanceof ApiError && cause.code === "block-conflict";
    const theirs =
      isConflict && entry ? await readEntry(sessionId, { blockId, key: entry.key }) : null;
    if (theirs) setConflict(theirs);
    else setProblem(errorSentence(cause));
  }

  function keepMine() {
    if (!conflict) return;
    setVersion(conflict.version);
    setConflict(null);
    void save(conflict.version);
  }

  function takeTheirs() {
    if (!conflict) return;
    setDiscarded(text);
    setText(entryText(conflict));
    setVersion(conflict.version);
    setConflict(null);
  }

  function takeMineAgain() {
    if (discarded) setText(discarded);
    setDiscarded(null);
  }

  return {
    text,
    change: (change: Partial<EntryText>) => setText((before) => ({ ...before, ...change })),
    save: () => void save(),
    isChanged,
    isRestored: draft !== null,
    discard: () => writeEntryDraft(draftKey, null),
    isSaving: writing.isPending,
    problem,
    conflict,
    keepMine,
    takeTheirs,
    hasDiscarded: discarded !== null,
    takeMineAgain,
  };
}

/** An empty description clears the stored one. */
export function bodyOf({ title, description, content }: EntryText) {
  return { title: title.trim(), description: description.trim(), content };
}

/** Returns `null` when the entry is gone or unreadable: the error is shown then. */
async function readEntry(
  sessionId: MemoryScope,
  { blockId, key }: { blockId: string; key: string },
): Promise<EntryDocumentWire | null> {
  const entries = await readEntries(sessionId, blockId).catch(() => []);
  return entries.find((entry) => entry.key === key) ?? null;
}

export interface EntryText {
  readonly title: string;
  readonly description: string;
  readonly content: string;
}

interface EntryDraft {
  readonly text: EntryText;
  readonly version: number;
}

function entryText(entry: EntryDocumentWire | null): EntryText {
  return {
    title: entry?.title ?? "",
    description: entry?.description ?? "",
    content: entry?.content ?? "",
  };
}

function sameText(one: EntryText, other: EntryText): boolean {
  return (
    one.title === other.title &&
    one.description === other.description &&
    one.content === other.content
  );
}

export function readEntryDraft(key: string): EntryDraft | null {
  const draft = readTextDraft(key);
  const text = draft && parseText(draft.text);
  return draft && text ? { text, version: draft.version } : null;
}

export function writeEntryDraft(key: string, draft: EntryDraft | null): void {
  writeTextDraft(key, draft && { text: JSON.stringify(draft.text), version: draft.version });
}

function parseText(stored: string): EntryText | null {
  try {
    const value: unknown = JSON.parse(stored);
    if (typeof value !== "object" || value === null) return null;
    const { title, description, content } = value as Record<string, unknown>;
    const isText = [title, description, content].every((field) => typeof field === "string");
    return isText ? (value as EntryText) : null;
  } catch {
    return null;
  }
}
