"use client";

import { useServerEvent } from "@/app/_api/server-events";
import { toastError } from "@/app/_api/toast-error";
import { summariesAskedHere, useUndoCompaction } from "@/app/_data/compaction/use-compactions";
import { countOf } from "@/app/_ui/format-amount";
import { toastUndo } from "@/app/_ui/toast";
import type { SummaryRunWire } from "@/lib/chat/wire/compaction";
import { readPage } from "./transcript-pages";
import { withoutSummary, withSummary } from "./transcript-window";
import type { Transcript } from "./use-transcript";

/** Reports how summaries ended. */
export function useSummaries(sessionId: string, transcript: Transcript): void {
  const { undo } = useUndoCompaction(sessionId);

  async function offerUndo({ toMessageId, replaces }: SummaryRunWire): Promise<void> {
    const { entries } = await readPage(sessionId, { leaf: toMessageId }, { limit: 1 });
    const compaction = entries.at(-1)?.compaction;
    if (!compaction) return;
    const folded = countOf(compaction.messageCount, "message");
    const sentence = replaces === null ? `${folded} summarized.` : "Summary rewritten.";
    toastUndo(sentence, () => undo(compaction.id));
  }

  function onEnd(summary: SummaryRunWire): void {
    switch (summary.status) {
      case "complete":
        // Its row stays until the stored summary takes its place.
        if (summariesAskedHere.has(summary.id)) void offerUndo(summary).catch(() => undefined);
        return;
      case "failed":
      case "interrupted":
        transcript.change((shown) => withSummary(shown, summary));
        // Its row may be far from the view.
        if (!summary.isManual && summary.problem !== null) toastError(summary.problem);
        return;
      case "stopped":
        transcript.change((shown) => withoutSummary(shown, summary.id));
        return;
      case "running":
      case "paused":
        return;
    }
  }

  useServerEvent((event) => {
    if (event.type === "summary-started" && event.sessionId === sessionId) {
      transcript.change((shown) => withSummary(shown, event.summary));
    }
    if (event.type === "summary-finished" && event.sessionId === sessionId) onEnd(event.summary);
  });
}
