"use client";

import { startTransition, useEffect, useState } from "react";
import { pendingSeamPart, seamPart } from "@/app/_features/compaction/seam-part";
import { isMarkdownLoaded, preloadMarkdown } from "@/app/_ui/markdown/markdown";
import { hasMath } from "@/app/_ui/markdown/math-text";
import { isMathLoaded, preloadMath } from "@/app/_ui/markdown/use-math-plugin";
import { useIsHydrating } from "@/app/_ui/use-is-hydrating";
import { messageText } from "./message-text";
import type { TranscriptRow } from "./transcript-rows";

let allParts: Promise<unknown> | null = null;

/** Fetches all that a line may need. The same promise every time, so that rendering on the server can wait for it. */
export function loadParts(): Promise<unknown> {
  allParts ??= Promise.all([
    preloadMarkdown(),
    preloadMath(),
    seamPart.preload(),
    pendingSeamPart.preload(),
  ]);
  return allParts;
}

/**
 * Whether everything that gives these lines their height is there, so that they can be shown in their final shape at
 * once. True once, it stays true: what later lines need is fetched while the others stay where they are. `false` while
 * rendering on the server.
 */
export function usePartsLoaded(rows: readonly TranscriptRow[]): boolean {
  const isHydrating = useIsHydrating();
  const needsSeam = rows.some(({ kind }) => kind === "seam");
  const needsMath = rows.some(showsMath);
  // What the person wrote is shown as it is.
  const needsMarkdown = rows.some(({ kind }) => kind !== "outgoing");
  const [isReady, setIsReady] = useState(
    () =>
      !isHydrating &&
      rows.length > 0 &&
      (!needsMarkdown || isMarkdownLoaded()) &&
      (!needsSeam || seamPart.isLoaded()) &&
      (!needsMath || isMathLoaded()),
  );
  const hasRows = rows.length > 0;
  useEffect(() => {
    if (isReady) {
      // For the first answer, and for a summary that is written while the page is open.
      void preloadMarkdown();
      void seamPart.preload();
      void pendingSeamPart.preload();
      return;
    }
    const needed = [
      preloadMarkdown(),
      ...(needsSeam ? [seamPart.preload()] : []),
      ...(needsMath ? [preloadMath()] : []),
    ];
    if (!hasRows) return;
    let isCurrent = true;
    // What stands there meanwhile can be read, so the lines are made between other work.
    void Promise.all(needed).then(() => startTransition(() => setIsReady(isCurrent)));
    return () => {
      isCurrent = false;
    };
  }, [isReady, hasRows, needsSeam, needsMath]);
  return isReady;
}

function showsMath(row: TranscriptRow): boolean {
  return row.kind === "message" && hasMath(messageText(row.entry.message));
}
