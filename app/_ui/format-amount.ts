// Created lazily: it takes 25 ms on a slow processor.
let compact: Intl.NumberFormat | null = null;

/** Of a whole number. Nearly every page writes one, and a first format of `Intl` blocks it for 20 ms. */
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

/** The noun takes an s. */
export function countOf(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** Only significant digits: `$1.20`, `$0.034`, `less than $0.0001`. */
export function formatCost(dollars: number): string {
  if (dollars === 0) return "$0";
  if (dollars < 0.0001) return "less than $0.0001";
  if (dollars >= 1) return `$${dollars.toFixed(2)}`;
  return `$${Number(dollars.toPrecision(2))}`;
}

/** Only exactly nothing or everything reads as 0% or 100%. */
export function formatShare(share: number): string {
  const percent = Math.round(share * 100);
  if (share > 0 && percent === 0) return "<1%";
  return `${percent}%`;
}
