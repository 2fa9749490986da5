"use client";

import { startTransition, useEffect, useState } from "react";
import { messageText } from "@/app/_data/chat/message-text";
import { compactionPart, pendingCompactionPart } from "@/app/_message/compaction/compaction-part";
import { isMarkdownLoaded, preloadMarkdown } from "@/app/_ui/markdown/markdown";
import { hasMath } from "@/app/_ui/markdown/math-text";
import { isMathLoaded, preloadMath } from "@/app/_ui/markdown/use-formulas";
import { useCameFromServer } from "@/app/_ui/page-phase";
import type { TranscriptRow } from "./transcript-rows";

let allParts: Promise<unknown> | null = null;

/** Returns the same promise every time, so that server rendering can await it. */
export function loadParts(): Promise<unknown> {
  allParts ??= Promise.all([
    preloadMarkdown(),
    preloadMath(),
    compactionPart.preload(),
    pendingCompactionPart.preload(),
  ]);
  return allParts;
}

export function preloadNextParts(): void {
  void preloadMarkdown();
  void compactionPart.preload();
  void pendingCompactionPart.preload();
}

/** True once everything that determines the rows' height is loaded, and from then on. `false` on the server. */
export function usePartsLoaded(rows: readonly TranscriptRow[]): boolean {
  const cameFromServer = useCameFromServer();
  const needsCompaction = rows.some(({ kind }) => kind === "compaction");
  const needsMath = rows.some(showsMath);
  const needsMarkdown = rows.some(({ kind }) => kind !== "outgoing");
  const [isReady, setIsReady] = useState(
    () =>
      !cameFromServer &&
      rows.length > 0 &&
      (!needsMarkdown || isMarkdownLoaded()) &&
      (!needsCompaction || compactionPart.isLoaded()) &&
      (!needsMath || isMathLoaded()),
  );
  const hasRows = rows.length > 0;
  useEffect(() => {
    if (isReady) return;
    const needed = [
      preloadMarkdown(),
      ...(needsCompaction ? [compactionPart.preload()] : []),
      ...(needsMath ? [preloadMath()] : []),
    ];
    if (!hasRows) return;
    let isCurrent = true;
    const show = () => setIsReady(isCurrent);
    void Promise.all(needed).then(() => startTransition(show));
    return () => {
      isCurrent = false;
    };
  }, [isReady, hasRows, needsCompaction, needsMath]);
  return isReady;
}

function showsMath(row: TranscriptRow): boolean {
  return row.kind === "message" && hasMath(messageText(row.entry.message));
}
