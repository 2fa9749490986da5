"use client";

import { useContextOf } from "@/app/_data/context/use-context-of";
import { classNames } from "@/app/_ui/class-names";
import { formatCount, formatShare, formatTokens } from "@/app/_ui/format-amount";
import { MenuItem } from "@/app/_ui/menu";
import { tooltip } from "@/app/_ui/tooltip";
import { type GaugeLevel, gaugeLevel } from "./gauge-view";

interface GaugePlace {
  sessionId: string | null;
  leafId: string | null | undefined;
}

export interface ContextGaugeProps extends GaugePlace {
  onOpen: () => void;
}

const tones: Record<GaugeLevel, string> = {
  calm: "text-accent",
  warn: "text-warn-fill",
  full: "text-danger",
};

const radius = 6;
const length = 2 * Math.PI * radius;

const shownFrom = 0.6;

function useShownGauge({ sessionId, leafId }: GaugePlace) {
  const { data } = useContextOf(sessionId, leafId);
  if (!data) return null;
  const { usedTokens, contextWindow } = data.gauge;
  const share = usedTokens / Math.max(1, contextWindow);
  if (share < shownFrom) return null;
  const used = `${formatCount(usedTokens)} of ${formatTokens(contextWindow)} used`;
  return { share, level: gaugeLevel(share), used };
}

export function ContextItem({ onOpen, ...place }: ContextGaugeProps) {
  const gauge = useShownGauge(place);
  if (!gauge) return null;
  return (
    <MenuItem icon={<Ring {...gauge} />} note={gauge.used} onSelect={onOpen}>
      {`Context: ${formatShare(gauge.share)}`}
    </MenuItem>
  );
}

export function ContextMark(place: GaugePlace) {
  const gauge = useShownGauge(place);
  if (!gauge) return null;
  return (
    <span aria-hidden className="absolute -top-0.5 -right-0.5 [&_svg]:size-3!">
      <Ring {...gauge} />
    </span>
  );
}

export function ContextGauge({ onOpen, ...place }: ContextGaugeProps) {
  const gauge = useShownGauge(place);
  if (!gauge) return null;
  const { share, level, used } = gauge;
  return (
    <button
      type="button"
      {...tooltip({ label: used, side: "top" })}
      aria-description={used}
      aria-label={`Context: ${formatShare(share)} ${share > 1 ? "· over the limit" : "of the window used"}`}
      onClick={onOpen}
      className="relative inline-flex h-8 min-w-16 shrink-0 items-center justify-center gap-1.5 rounded-md px-2 text-muted text-xs tabular-nums transition-colors pointer-coarse:after:absolute pointer-coarse:after:-inset-1.5 hover:bg-hover hover:text-ink max-sm:hidden"
    >
      <Ring share={share} level={level} />
      <span className={share > 1 ? "font-medium text-danger" : undefined}>
        {formatShare(share)}
        {share > 1 && <span> · over the limit</span>}
      </span>
    </button>
  );
}

function Ring({ share, level }: { share: number; level: GaugeLevel }) {
  return (
    <svg aria-hidden viewBox="0 0 16 16" className={classNames("size-4 -rotate-90", tones[level])}>
      <circle cx="8" cy="8" r={radius} fill="none" strokeWidth="2.5" className="stroke-line" />
      <circle
        cx="8"
        cy="8"
        r={radius}
        fill="none"
        strokeWidth="2.5"
        stroke="currentColor"
        strokeDasharray={length}
        strokeDashoffset={length * (1 - Math.min(1, share))}
        className="transition-[stroke-dashoffset] duration-slow"
      />
    </svg>
  );
}
