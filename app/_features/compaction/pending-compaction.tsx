"use client";

import { FoldVertical } from "lucide-react";
import type { SummaryRunWire } from "@/lib/chat/wire/compaction";
import { summarizing } from "./compaction-words";
import { SummaryInWriting } from "./summary-in-writing";

/** At its future place; the messages above stay until it is complete. */
export function PendingCompaction({ summary }: { summary: SummaryRunWire }) {
  return (
    <section aria-label="Writing summary" className="py-2">
      <div className="rounded-lg border border-accent/60 border-dashed bg-raised px-4 py-3">
        <p className="mb-2 flex items-center gap-2 font-medium text-sm">
          <FoldVertical aria-hidden className="size-4 shrink-0 text-accent" />
          {summary.status === "failed" || summary.status === "interrupted"
            ? "Summary failed"
            : `${summarizing(summary)} …`}
        </p>
        <SummaryInWriting summary={summary} />
      </div>
    </section>
  );
}
