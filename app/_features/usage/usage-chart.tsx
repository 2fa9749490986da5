"use client";

import { type KeyboardEvent, type PointerEvent, useState } from "react";
import { formatCompact, formatCost } from "@/app/_ui/format-amount";
import { dateWords } from "@/app/_ui/reader-day";
import { type BarSpan, barLabel, scaleTop, type UsageBar } from "./usage-bars";
import { amountOf, costWords, type Measure, sumSentence, tokenWords } from "./usage-words";

export interface UsageChartProps {
  bars: readonly UsageBar[];
  span: BarSpan;
  measure: Measure;
}

const width = 1000;
const height = 200;
const lines = [0, 0.5, 1];

export function UsageChart({ bars, span, measure }: UsageChartProps) {
  const [chosen, setChosen] = useState<number | null>(null);
  const [isFocused, setIsFocused] = useState(false);
  const top = scaleTop(Math.max(...bars.map((bar) => amountOf(bar, measure))));
  const format = measure === "cost" ? formatCost : formatCompact;
  const last = bars.length - 1;
  const at = Math.min(chosen ?? last, last);
  const shown = chosen !== null || isFocused ? bars[at] : undefined;

  const onKeyDown = (event: KeyboardEvent) => {
    const next = nextBar(event.key, at, last);
    if (next === null) return;
    event.preventDefault();
    setChosen(next);
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    const { left, width: room } = event.currentTarget.getBoundingClientRect();
    const share = (event.clientX - left) / room;
    setChosen(Math.max(0, Math.min(last, Math.floor(share * bars.length))));
  };

  return (
    <figure className="flex flex-col gap-2">
      <div className="flex gap-2">
        <div
          aria-hidden
          className="flex h-48 w-12 shrink-0 flex-col justify-between text-right text-2xs text-faint tabular-nums leading-none"
        >
          {lines.toReversed().map((line) => (
            <span key={line}>{format(line * top)}</span>
          ))}
        </div>
        <div
          role="slider"
          tabIndex={0}
          aria-label={measure === "cost" ? "Cost over time" : "Tokens over time"}
          aria-valuemin={0}
          aria-valuemax={last}
          aria-valuenow={at}
          aria-valuetext={bars[at] && `${barLabel(bars[at], span)}: ${sumSentence(bars[at])}`}
          onKeyDown={onKeyDown}
          onFocus={() => setIsFocused(true)}
          onBlur={() => {
            setIsFocused(false);
            setChosen(null);
          }}
          onPointerMove={onPointerMove}
          onPointerDown={onPointerMove}
          onPointerLeave={() => !isFocused && setChosen(null)}
          className="relative h-48 min-w-0 flex-1 rounded-sm outline-offset-4"
        >
          <Drawing bars={bars} measure={measure} top={top} shown={shown} />
          {shown && <Tip bar={shown} span={span} share={(at + 0.5) / bars.length} />}
        </div>
      </div>
      <div aria-hidden className="flex justify-between pl-14 text-2xs text-faint">
        <span>{edgeLabel(bars[0]?.from)}</span>
        <span>{edgeLabel(bars.at(-1)?.to)}</span>
      </div>
    </figure>
  );
}

interface DrawingProps {
  bars: readonly UsageBar[];
  measure: Measure;
  top: number;
  shown: UsageBar | undefined;
}

function Drawing({ bars, measure, top, shown }: DrawingProps) {
  const step = width / bars.length;
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      className="block h-full w-full"
    >
      {lines.map((line) => (
        <line
          key={line}
          x1={0}
          x2={width}
          y1={height - line * height}
          y2={height - line * height}
          className="stroke-line"
          vectorEffect="non-scaling-stroke"
        />
      ))}
      {bars.map((bar, index) => (
        <Bar
          key={bar.from}
          bar={bar}
          measure={measure}
          x={index * step}
          step={step}
          top={top}
          isChosen={shown === bar}
        />
      ))}
    </svg>
  );
}

function nextBar(key: string, at: number, last: number): number | null {
  if (key === "ArrowLeft" || key === "ArrowDown") return Math.max(0, at - 1);
  if (key === "ArrowRight" || key === "ArrowUp") return Math.min(last, at + 1);
  if (key === "PageDown") return Math.max(0, at - 7);
  if (key === "PageUp") return Math.min(last, at + 7);
  if (key === "Home") return 0;
  return key === "End" ? last : null;
}

interface BarProps {
  bar: UsageBar;
  measure: Measure;
  x: number;
  step: number;
  top: number;
  isChosen: boolean;
}

function Bar({ bar, measure, x, step, top, isChosen }: BarProps) {
  const tall = (amount: number) => (amount / top) * height;
  const first = tall(measure === "cost" ? bar.cost : bar.outputTokens);
  const second = measure === "cost" ? 0 : tall(bar.inputTokens);
  const gap = step * 0.14;
  const box = { x: x + gap, width: step - 2 * gap };
  return (
    <g>
      {isChosen && <rect x={x} y={0} width={step} height={height} className="fill-hover" />}
      <rect {...box} y={height - first} height={first} className="fill-accent" />
      <rect
        {...box}
        y={height - first - second}
        height={second}
        className="fill-accent"
        opacity={0.45}
      />
    </g>
  );
}

function Tip({ bar, span, share }: { bar: UsageBar; span: BarSpan; share: number }) {
  return (
    <div
      aria-hidden
      style={{ left: `${share * 100}%`, translate: `${share * -100}%` }}
      className="pointer-events-none absolute -top-2 z-10 flex w-max flex-col rounded-md bg-ink px-2.5 py-1.5 text-paper text-xs shadow-float"
    >
      <span className="font-medium">{barLabel(bar, span)}</span>
      <span className="tabular-nums">
        {bar.calls === 0 ? "Nothing" : `${tokenWords(bar)} tokens · ${costWords(bar)}`}
      </span>
    </div>
  );
}

function edgeLabel(day: string | undefined): string {
  return day ? dateWords(day) : "";
}
