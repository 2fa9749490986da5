import { blockTitle, personalTitle } from "@/app/_data/memory/block-words";
import type { CompactionPreviewWire } from "@/lib/chat/wire/compaction";
import type { GaugeWire } from "@/lib/chat/wire/context";

type GaugeSource = GaugeWire["parts"][number]["source"] | "free";

/** At 95% the next answer may not fit. */
export type GaugeLevel = "calm" | "warn" | "full";

export interface GaugeSegment {
  readonly source: GaugeSource;
  readonly tokens: number;
  readonly share: number;
  readonly parts: readonly { readonly label: string; readonly tokens: number }[];
}

export interface GaugeView {
  readonly usedShare: number;
  readonly level: GaugeLevel;
  readonly freeTokens: number;
  readonly segments: readonly GaugeSegment[];
}

const sourceOrder = ["prompt", "skills", "tools", "summaries", "messages"] as const;

export function gaugeView(gauge: GaugeWire): GaugeView {
  const freeTokens = Math.max(0, gauge.contextWindow - gauge.usedTokens);
  const whole = Math.max(gauge.contextWindow, gauge.usedTokens, 1);
  const used = sourceOrder.map((source) => segmentOf(gauge, { source, whole }));
  const free = {
    source: "free",
    tokens: freeTokens,
    share: freeTokens / whole,
    parts: [],
  } as const;
  const usedShare = gauge.usedTokens / Math.max(gauge.contextWindow, 1);
  return {
    usedShare,
    level: gaugeLevel(usedShare),
    freeTokens,
    segments: [...used, free].filter((segment) => segment.tokens > 0),
  };
}

export function gaugeLevel(usedShare: number): GaugeLevel {
  if (usedShare >= 0.95) return "full";
  return usedShare >= 0.8 ? "warn" : "calm";
}

export function turnsLeft(freeTokens: number, preview: CompactionPreviewWire): number | null {
  const messages = preview.keptMessageCount + (preview.range?.messageCount ?? 0);
  const tokens = preview.keptTokens + (preview.range?.tokens ?? 0);
  if (messages < 2 || tokens <= 0) return null;
  return Math.floor((freeTokens * messages) / (2 * tokens));
}

function segmentOf(
  gauge: GaugeWire,
  { source, whole }: { source: (typeof sourceOrder)[number]; whole: number },
): GaugeSegment {
  const parts = gauge.parts
    .filter((part) => part.source === source && part.tokens > 0)
    .map(({ label, tokens, from }) => ({ label: from ? placed(label, from) : label, tokens }))
    .toSorted((one, other) => other.tokens - one.tokens);
  const tokens = parts.reduce((sum, part) => sum + part.tokens, 0);
  return { source, tokens, share: tokens / whole, parts };
}

function placed(label: string, from: "project" | "you"): string {
  return from === "project" ? `${blockTitle(label)} · project` : personalTitle(label);
}
