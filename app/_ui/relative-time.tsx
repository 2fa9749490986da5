"use client";

import { useEffect, useState } from "react";
import { countOf } from "./format-amount";
import { momentWords } from "./reader-day";

const units = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

export function relativeTime(at: number, now: number): string {
  const seconds = Math.round((at - now) / 1_000);
  const [unit, length] = units.find(([, each]) => Math.abs(seconds) >= each) ?? [];
  if (unit === undefined) return "now";
  const isPast = seconds < 0;
  const count = Math.trunc(Math.abs(seconds) / length);
  if (count === 1 && unit === "day") return isPast ? "yesterday" : "tomorrow";
  if (count === 1 && length > 86_400) return `${isPast ? "last" : "next"} ${unit}`;
  return isPast ? `${countOf(count, unit)} ago` : `in ${countOf(count, unit)}`;
}

export function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 60_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

export function RelativeTime({ at, className }: { at: string; className?: string }) {
  const now = useNow();
  const date = new Date(at);
  return (
    <time dateTime={at} title={momentWords(date)} className={className} suppressHydrationWarning>
      {relativeTime(date.getTime(), now)}
    </time>
  );
}
