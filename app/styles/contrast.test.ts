import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";

const css = await readFile("app/styles/tokens.css", "utf8");
const themes = ["light", "dark"] as const;

/** WCAG 2.2 asks of text. */
const least = 4.5;

const texts = ["ink", "muted", "faint", "accent", "danger", "warn"];
const code = ["keyword", "string", "number", "function", "type", "tag"].map(
  (kind) => `code-${kind}`,
);
const surfaces = ["paper", "raised", "sunken", "hover", "accent-soft", "danger-soft", "warn-soft"];

/** Colours of text, with what they may be written on. There are no others: `--color-*` starts empty. */
const pairs = [
  ...[...texts, ...code].flatMap((text) => surfaces.map((surface) => [text, surface])),
  ["ink", "mark"],
  ["on-accent", "accent"],
  ["on-accent", "accent-hover"],
  ["on-danger", "danger"],
  ["on-danger", "danger-hover"],
] as [string, string][];

function colorOf(token: string, theme: (typeof themes)[number]): string {
  const [, light, dark] =
    new RegExp(`--${token}: light-dark\\((#\\w{6}), (#\\w{6})\\);`).exec(css) ?? [];
  const color = theme === "light" ? light : dark;
  if (!color) throw new Error(`There is no colour --${token}.`);
  return color;
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

test.each(themes)("text of every colour can be read on every surface of the %s theme", (theme) => {
  const found = pairs.map(([text, surface]) => ({
    pair: `${text} on ${surface}`,
    ratio: contrast(colorOf(text, theme), colorOf(surface, theme)),
  }));
  expect(found.filter(({ ratio }) => ratio < least)).toEqual([]);
});
