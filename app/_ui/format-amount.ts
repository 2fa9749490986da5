import { reader } from "./reader";

// Without `Intl`, whose first format blocks a page for 20 ms.

export function formatCount(count: number): string {
  return formatNumber(count, 0);
}

export function formatNumber(value: number, digits: number): string {
  return inForm(Number(value.toFixed(digits)).toString());
}

const sizes = [
  [1, ""],
  [1e3, "K"],
  [1e6, "M"],
  [1e9, "B"],
  [1e12, "T"],
] as const;

export function formatCompact(count: number): string {
  const tenths = (size: number) => Math.round(count / (size / 10)) / 10;
  const [size, letter] = sizes.find(([each]) => tenths(each) < 1_000) ?? [1e12, "T"];
  return `${formatNumber(tenths(size), 1)}${letter}`;
}

export function formatTokens(tokens: number): string {
  return countOf(tokens, "token");
}

export function countOf(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? "" : "s"}`;
}

export function formatCost(dollars: number): string {
  if (dollars === 0) return "$0";
  if (dollars < 0.0001) return `less than $${inForm("0.0001")}`;
  if (dollars >= 1) return formatDollars(dollars);
  return `$${inForm(`${Number(dollars.toPrecision(2))}`)}`;
}

export function formatDollars(dollars: number): string {
  return `$${inForm(dollars.toFixed(2))}`;
}

/** 0 % and 100 % are exact. */
export function formatShare(share: number): string {
  const percent = Math.round(share * 100);
  if (share > 0 && percent === 0) return "<1%";
  return `${percent}%`;
}

function inForm(number: string): string {
  const { group, decimal, groupDigits, groupedFrom } = reader().forms;
  const [whole = "", fraction] = number.split(".");
  const isGrouped = whole.length >= groupedFrom;
  const groups = new RegExp(`\\B(?=(?:\\d{${groupDigits}})*\\d{3}$)`, "g");
  const written = isGrouped ? whole.replace(groups, group) : whole;
  return fraction === undefined ? written : `${written}${decimal}${fraction}`;
}
