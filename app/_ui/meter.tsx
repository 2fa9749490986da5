import { classNames } from "./class-names";

/** Early enough to act. */
export const meterWarnsAt = 0.8;

export interface MeterProps {
  label: string;
  value: number;
  max: number;
  /** For screen readers, such as `495 of 1,100 tokens`. */
  valueText: string;
  className?: string;
}

/** Green, amber from {@link meterWarnsAt}, red above the limit. */
export function Meter({ label, value, max, valueText, className }: MeterProps) {
  const share = max > 0 ? value / max : 0;
  return (
    <div className={classNames("h-1.5 w-full overflow-hidden rounded-full bg-line", className)}>
      <meter
        className="sr-only"
        aria-label={label}
        min={0}
        max={max}
        value={Math.min(value, max)}
        aria-valuetext={valueText}
      />
      <div
        className={classNames("h-full rounded-full transition-[width] duration-slow", fill(share))}
        style={{ width: `${Math.min(100, share * 100)}%` }}
      />
    </div>
  );
}

function fill(share: number): string {
  if (share > 1) return "bg-danger";
  return share >= meterWarnsAt ? "bg-warn-fill" : "bg-accent";
}
