// The format is created lazily: it takes 25 ms on a slow processor.
let compact: Intl.NumberFormat | null = null;

/** Formats whole numbers without `Intl`, whose first format blocks a page for 20 ms. */
export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

export function formatCompact(count: number): string {
  compact ??= new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
  return compact.format(count);
}

export function formatTokens(tokens: number): string {
  return countOf(tokens, "token");
}

export function countOf(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** Significant digits alone: `$1.20`, `$0.034`, `less than $0.0001`. */
export function formatCost(dollars: number): string {
  if (dollars === 0) return "$0";
  if (dollars < 0.0001) return "less than $0.0001";
  if (dollars >= 1) return `$${dollars.toFixed(2)}`;
  return `$${Number(dollars.toPrecision(2))}`;
}

/** 0 % and 100 % stand only for exactly nothing or everything. */
export function formatShare(share: number): string {
  const percent = Math.round(share * 100);
  if (share > 0 && percent === 0) return "<1%";
  return `${percent}%`;
}
