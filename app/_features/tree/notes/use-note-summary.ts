"use client";

import { useRef, useState } from "react";
import { readTextDraft, writeTextDraft } from "@/app/_data/memory/text-draft";
import type { NotePlaces } from "@/lib/chat/wire/branches";

/** `model`: `null` for the person's own text. */
export interface NoteSummary {
  readonly text: string;
  readonly model: string | null;
}

const emptySummary: NoteSummary = { text: "", model: null };

export function useNoteSummary(draftKey: string) {
  const [draft] = useState(() => readSummaryDraft(draftKey));
  const [summary, setSummary] = useState(draft ?? emptySummary);
  // The person may type while the model writes.
  const newest = useRef(summary);
  const [replaced, setReplaced] = useState<readonly NoteSummary[]>([]);

  function show(next: NoteSummary) {
    newest.current = next;
    setSummary(next);
    writeSummaryDraft(draftKey, next);
  }

  function replace(written: NoteSummary) {
    const before = newest.current;
    show(written);
    if (before.text.trim() !== "") setReplaced((earlier) => [...earlier, before]);
  }

  function undo() {
    const before = replaced.at(-1);
    if (!before) return;
    show(before);
    setReplaced(replaced.slice(0, -1));
  }

  return {
    summary,
    isRestored: draft !== null,
    type: (text: string) => show(typed(newest.current, text)),
    replace,
    undo: replaced.length > 0 ? undo : null,
  };
}

export function typed({ model }: NoteSummary, text: string): NoteSummary {
  return { text, model: text.trim() === "" ? null : model };
}

export function summaryDraftKey(sessionId: string, { from, to }: NotePlaces): string {
  return `note:${sessionId}:${from}:${to ?? ""}`;
}

export function readSummaryDraft(key: string): NoteSummary | null {
  const draft = readTextDraft(key);
  return draft && parseSummary(draft.text);
}

export function writeSummaryDraft(key: string, summary: NoteSummary | null): void {
  const isEmpty = summary === null || summary.text.trim() === "";
  writeTextDraft(key, isEmpty ? null : { text: JSON.stringify(summary), version: 0 });
}

function parseSummary(stored: string): NoteSummary | null {
  try {
    const value: unknown = JSON.parse(stored);
    if (typeof value !== "object" || value === null) return null;
    const { text, model } = value as Record<string, unknown>;
    const isSummary = typeof text === "string" && (model === null || typeof model === "string");
    return isSummary ? { text, model } : null;
  } catch {
    return null;
  }
}
