"use client";

import { useEffect, useState } from "react";

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
  const format = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
  for (const [unit, length] of units) {
    if (Math.abs(seconds) >= length) return format.format(Math.trunc(seconds / length), unit);
  }
  return "now";
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
    <time
      dateTime={at}
      title={date.toLocaleString()}
      className={className}
      suppressHydrationWarning
    >
      {relativeTime(date.getTime(), now)}
    </time>
  );
}
