"use client";

import { FoldVertical } from "lucide-react";
import type { SummaryWriting } from "@/app/_hooks/chat/summary-writing";
import { useCompacting } from "@/app/_hooks/drawer/use-compacting";
import { SummaryInWriting } from "./summary-in-writing";

/** Where a summary will stand, while it is written; the messages above it stay until it is there. */
export function PendingSeam({ summary }: { summary: SummaryWriting }) {
  const { sessionId, ...wish } = summary.wish;
  const compact = useCompacting(sessionId);
  return (
    <section aria-label="Summary being written" className="py-2">
      <div className="rounded-lg border border-accent/60 border-dashed bg-raised px-4 py-3">
        <p className="mb-2 flex items-center gap-2 font-medium text-sm">
          <FoldVertical aria-hidden className="size-4 shrink-0 text-accent" />
          {summary.state.kind === "failed"
            ? "No summary was made"
            : "The messages above are being summarized"}
        </p>
        <SummaryInWriting summary={summary} onRetry={() => void compact(wish)} />
      </div>
    </section>
  );
}
