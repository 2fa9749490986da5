import { formatCost, formatCount, formatTokens } from "@/app/_ui/format-amount";
import type { CompactionWire, SummaryRunWire } from "@/lib/chat/wire/compaction";

/** A summary stands half a position before its first message. */
export function compactionTitle(compaction: CompactionWire, position: number): string {
  const first = Math.ceil(position);
  const last = first + compaction.messageCount - 1;
  if (compaction.messageCount === 1) return `Message ${first} summarized`;
  return `Messages ${formatCount(first)}–${formatCount(last)} summarized`;
}

export function summarizing({
  firstPosition,
  lastPosition,
}: Pick<SummaryRunWire, "firstPosition" | "lastPosition">): string {
  if (firstPosition === lastPosition) return `Summarizing message ${formatCount(firstPosition)}`;
  return `Summarizing messages ${formatCount(firstPosition)}–${formatCount(lastPosition)}`;
}

export function compactionFacts(
  compaction: CompactionWire,
  nameOf: (model: string) => string,
): string {
  const { rangeTokens, summaryTokens, model, cost } = compaction;
  const tokens =
    rangeTokens === undefined
      ? formatTokens(summaryTokens)
      : `${formatCount(rangeTokens)} → ${formatCount(summaryTokens)} tokens`;
  const price = cost === undefined ? null : formatCost(cost);
  return [tokens, model && nameOf(model), price].filter((fact) => fact).join(" · ");
}
