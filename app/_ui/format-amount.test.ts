import fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";
import { formsOf } from "@/lib/chat/wire/reader-forms";
import {
  countOf,
  formatCompact,
  formatCost,
  formatCount,
  formatNumber,
  formatShare,
  formatTokens,
} from "./format-amount";

test.each([
  [0, "$0"],
  [0.00001, "less than $0.0001"],
  [0.00042, "$0.00042"],
  [0.0341, "$0.034"],
  [1.204, "$1.20"],
])("writes %d dollars as %s", (dollars, text) => {
  expect(formatCost(dollars)).toBe(text);
});

test.each([
  [0, "0%"],
  [0.002, "<1%"],
  [0.071, "7%"],
  [1.25, "125%"],
])("writes a share of %d as %s", (share, text) => {
  expect(formatShare(share)).toBe(text);
});

test("counts with the right number", () => {
  expect([formatTokens(1), formatTokens(18_240), countOf(0, "message")]).toEqual([
    "1 token",
    "18,240 tokens",
    "0 messages",
  ]);
  expect(formatCompact(18_240)).toBe("18.2K");
});

const languages = ["en-US", "en-IN", "de", "de-CH", "es", "fr", "pl", "pt-BR"];

afterEach(() => vi.unstubAllGlobals());

function readAs(language: string): void {
  const forms = formsOf(language);
  vi.stubGlobal("groveReader", { getStore: () => ({ forms }) });
}

const counts = fc
  .tuple(fc.maxSafeNat(), fc.integer({ min: 0, max: 52 }))
  .map(([large, bits]) => Math.floor(large / 2 ** bits));

test.each(languages)("writes numbers as Intl writes them in %s", (language) => {
  readAs(language);
  const whole = new Intl.NumberFormat(language);
  const tenths = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
  const property = fc.property(counts, (count) => {
    expect(formatCount(count)).toBe(whole.format(count));
    const fraction = (count % 1e12) + 0.25;
    expect(formatNumber(fraction, 1)).toBe(tenths.format(Number(fraction.toFixed(1))));
  });
  fc.assert(property);
});

test("shortens counts as Intl does in English", () => {
  const short = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
  const property = fc.property(counts, (count) => {
    if (count < 1e15) expect(formatCompact(count)).toBe(short.format(count));
  });
  fc.assert(property);
  readAs("de");
  expect(formatCompact(18_240)).toBe("18,2K");
});

test("writes dollars with the reader's point", () => {
  readAs("de");
  expect([0.0341, 1_204.5].map(formatCost)).toEqual(["$0,034", "$1.204,50"]);
});
