"use client";

import { ChevronRight, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { classNames } from "@/app/_ui/class-names";
import {
  countOf,
  formatCost,
  formatCount,
  formatShare,
  formatTokens,
} from "@/app/_ui/format-amount";
import type { CompactionPreviewWire } from "@/lib/chat/wire/compaction";
import type { GaugeWire } from "@/lib/chat/wire/context";
import { type GaugeLevel, type GaugeSegment, type GaugeView, turnsLeft } from "./gauge-view";

export function GaugeBar({ gauge, view }: { gauge: GaugeWire; view: GaugeView }) {
  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-baseline justify-between gap-3">
        <p className="font-semibold text-2xl tabular-nums tracking-tight">
          {formatShare(view.usedShare)}
        </p>
        <p className="text-faint text-xs tabular-nums">
          {formatCount(gauge.usedTokens)} of {formatTokens(gauge.contextWindow)}
        </p>
      </div>
      <div
        role="img"
        aria-label={`${formatShare(view.usedShare)} of the context window used`}
        className="flex h-3 gap-px overflow-hidden rounded-full bg-line"
      >
        {view.segments.map((segment) => (
          <span
            key={segment.source}
            className={classNames(
              "h-full transition-[flex-grow] duration-slow",
              segment.source === "free" ? "min-w-0" : "min-w-0.5",
              sourceLooks[segment.source].fill,
            )}
            style={{ flexGrow: segment.share, flexBasis: 0 }}
          />
        ))}
      </div>
    </div>
  );
}

type WarningLevel = GaugeLevel | "over";

const sentences: Record<Exclude<WarningLevel, "calm">, string> = {
  over: "This chat is larger than the context window, so the next answer may fail. Summarize, or unload a skill.",
  warn: "The context window is filling up. Summarize older messages to free space. Nothing is lost.",
  full: "The context window is almost full, so the next answer may not fit. Summarize, or unload a skill.",
};

export function GaugeWarning({ view }: { view: GaugeView }) {
  const level: WarningLevel = view.usedShare > 1 ? "over" : view.level;
  if (level === "calm") return null;
  return (
    <p
      role="status"
      className={classNames(
        "flex gap-2.5 rounded-lg p-3.5 text-sm",
        level === "warn" ? "bg-warn-soft text-warn" : "bg-danger-soft text-danger",
      )}
    >
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      {sentences[level]}
    </p>
  );
}

export function GaugeLegend({ view }: { view: GaugeView }) {
  return (
    <ul className="flex flex-col">
      {view.segments.map((segment) => (
        <LegendRow key={segment.source} segment={segment} />
      ))}
    </ul>
  );
}

function LegendRow({ segment }: { segment: GaugeSegment }) {
  const [isOpen, setOpen] = useState(false);
  const hasParts = segment.parts.length > 1;
  return (
    <li>
      {hasParts ? (
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          className="-mx-1.5 flex w-[calc(100%+0.75rem)] items-center gap-2 rounded-sm px-1.5 py-1 text-left text-sm hover:bg-hover"
        >
          <LegendNumbers segment={segment} isOpen={isOpen} />
        </button>
      ) : (
        <p className="flex items-center gap-2 py-1 text-sm">
          <LegendNumbers segment={segment} isOpen={null} />
        </p>
      )}
      {hasParts && isOpen && (
        <ul className="pb-1 pl-4.5 text-muted text-xs">
          {segment.parts.map((part) => (
            <li key={part.label} className="flex justify-between gap-3 py-0.5">
              <span className="min-w-0 truncate">{part.label}</span>
              <span className="tabular-nums">{formatCount(part.tokens)}</span>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

function LegendNumbers({ segment, isOpen }: { segment: GaugeSegment; isOpen: boolean | null }) {
  const { name, fill } = sourceLooks[segment.source];
  return (
    <>
      <span aria-hidden className={classNames("size-2.5 shrink-0 rounded-xs", fill)} />
      <span className="flex min-w-0 flex-1 items-center gap-1 truncate">
        {name}
        {isOpen !== null && (
          <ChevronRight
            aria-hidden
            className={classNames(
              "size-3.5 text-faint transition-transform",
              isOpen && "rotate-90",
            )}
          />
        )}
      </span>
      <span className="tabular-nums">{formatCount(segment.tokens)}</span>
      <span className="w-12 text-right text-faint text-xs tabular-nums">
        {formatShare(segment.share)}
      </span>
    </>
  );
}

const sourceLooks: Record<GaugeSegment["source"], { name: string; fill: string }> = {
  prompt: { name: "Prompt", fill: "bg-ink/65" },
  skills: { name: "Loaded skills", fill: "bg-warn-fill" },
  tools: { name: "Tools", fill: "bg-edge" },
  summaries: { name: "Summaries", fill: "bg-accent/45" },
  messages: { name: "Messages", fill: "bg-accent" },
  free: { name: "Free", fill: "bg-line" },
};

export interface GaugeFactsProps {
  gauge: GaugeWire;
  preview: CompactionPreviewWire | undefined;
}

export function SpaceLeft({ gauge, view, preview }: GaugeFactsProps & { view: GaugeView }) {
  const turns = preview ? turnsLeft(view.freeTokens, preview) : null;
  if (turns === null && !gauge.shortened) return null;
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
      {turns !== null && <Fact name="Space left">{spaceWords(turns)}</Fact>}
      {gauge.shortened && <Fact name="Tool outputs">{shortenedWords(gauge.shortened)}</Fact>}
    </dl>
  );
}

export function GaugeFacts({ gauge, preview }: GaugeFactsProps) {
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
      <Fact name="Next message">
        {gauge.nextCost === null
          ? "Price unknown for this model"
          : `${formatCost(gauge.nextCost)} input + output`}
      </Fact>
      {preview?.range && <Fact name="Can be summarized">{formatTokens(preview.range.tokens)}</Fact>}
    </dl>
  );
}

const mostShown = 1_000;

function spaceWords(turns: number): string {
  if (turns > mostShown) return `more than ${countOf(mostShown, "message")}`;
  return `~${countOf(turns, "more message")}`;
}

function shortenedWords({ count, shownChars, totalChars }: NonNullable<GaugeWire["shortened"]>) {
  return `${count} shortened, ${formatCount(shownChars)} of ${formatCount(totalChars)} characters`;
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <>
      <dt className="text-faint">{name}</dt>
      <dd className="text-right">{children}</dd>
    </>
  );
}
