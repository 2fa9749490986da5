import { countOf, formatCost, formatCount } from "@/app/_ui/format-amount";
import type { UsageSumWire } from "@/lib/chat/wire/usage";

export type Measure = "tokens" | "cost";

export const usageRanges = [
  { id: "7", label: "7 days", days: 7 },
  { id: "30", label: "30 days", days: 30 },
  { id: "90", label: "90 days", days: 90 },
  { id: "all", label: "All", days: null },
] as const;

export type UsageRangeId = (typeof usageRanges)[number]["id"];

export function rangeOf(asked: string | string[] | undefined): UsageRangeId {
  return usageRanges.find(({ id }) => id === asked)?.id ?? "30";
}

export function amountOf(sum: UsageSumWire, measure: Measure): number {
  return measure === "cost" ? sum.cost : sum.inputTokens + sum.outputTokens;
}

export function costWords(sum: UsageSumWire): string {
  if (sum.unpricedCalls > 0 && sum.cost === 0) return "unknown";
  const more = sum.unpricedCalls > 0 ? ", rest unknown" : "";
  return `${about(sum)}${formatCost(sum.cost)}${more}`;
}

export function tokenWords(sum: UsageSumWire): string {
  return `${about(sum)}${formatCount(sum.inputTokens + sum.outputTokens)}`;
}

export function sumSentence(sum: UsageSumWire): string {
  if (sum.calls === 0) return "nothing";
  const tokens = `${about(sum)}${formatCount(sum.inputTokens)} input tokens, ${formatCount(sum.outputTokens)} output`;
  return `${tokens}, cost ${costWords(sum)}, ${countOf(sum.calls, "request")}`;
}

function about({ estimatedCalls }: UsageSumWire): string {
  return estimatedCalls > 0 ? "≈ " : "";
}
