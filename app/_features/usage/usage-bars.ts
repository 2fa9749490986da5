import { dateWords, monthWords, weekStart } from "@/app/_ui/reader-day";
import type { UsageSumWire, UsageWire } from "@/lib/chat/wire/usage";

export type BarSpan = "day" | "week" | "month";

export interface UsageBar extends UsageSumWire {
  from: string;
  to: string;
}

const mostBars = 92;
const dayMs = 86_400_000;

/** Bars without gaps: days, or weeks and months where days would be too many. */
export function usageBars({ from, to, days }: Pick<UsageWire, "from" | "to" | "days">): {
  span: BarSpan;
  bars: UsageBar[];
} {
  if (from === null) return { span: "day", bars: [] };
  const count = Math.round((msOf(to) - msOf(from)) / dayMs) + 1;
  const span = count <= mostBars ? "day" : count <= 7 * mostBars ? "week" : "month";
  const bars = new Map<string, UsageBar>();
  for (let at = msOf(from); at <= msOf(to); at += dayMs) {
    const day = dayOf(at);
    const start = startOf(span, day);
    const bar = bars.get(start);
    if (bar) bar.to = day;
    else bars.set(start, { ...nothing, from: day, to: day });
  }
  for (const { day, ...sum } of days) {
    const bar = bars.get(startOf(span, day));
    if (bar) Object.assign(bar, added(bar, sum));
  }
  return { span, bars: [...bars.values()] };
}

export function scaleTop(highest: number): number {
  if (highest <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(highest));
  const step = [1, 2, 5, 10].find((each) => each * power >= highest * (1 - 1e-9)) ?? 10;
  return step * power;
}

export function barLabel({ from, to }: Pick<UsageBar, "from" | "to">, span: BarSpan): string {
  if (span === "month") return monthWords(from);
  if (span === "day") return dateWords(from, { weekday: "short", hasYear: false });
  return [from, to].map((day) => dateWords(day, { hasYear: false })).join(" – ");
}

function added(a: UsageSumWire, b: UsageSumWire): UsageSumWire {
  return {
    calls: a.calls + b.calls,
    inputTokens: a.inputTokens + b.inputTokens,
    cachedTokens: a.cachedTokens + b.cachedTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cost: a.cost + b.cost,
    unpricedCalls: a.unpricedCalls + b.unpricedCalls,
    estimatedCalls: a.estimatedCalls + b.estimatedCalls,
  };
}

function startOf(span: BarSpan, day: string): string {
  if (span === "day") return day;
  if (span === "month") return day.slice(0, 7);
  return weekStart(day);
}

function msOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

const nothing: UsageSumWire = {
  calls: 0,
  inputTokens: 0,
  cachedTokens: 0,
  outputTokens: 0,
  cost: 0,
  unpricedCalls: 0,
  estimatedCalls: 0,
};
