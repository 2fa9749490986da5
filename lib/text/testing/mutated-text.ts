import type { Random } from "@/lib/text/testing/random";

/** Changed in one to four ways. */
export function mutated(text: string, random: Random): Uint8Array {
  let changed = text;
  for (let left = 1 + random.below(4); left > 0; left--)
    changed = random.of(textMutations)(changed, random);
  const bytes = new TextEncoder().encode(changed);
  if (random.next() < 0.9) return bytes;
  for (let left = random.below(8); left > 0; left--)
    bytes[random.below(bytes.length)] = random.below(256);
  return random.next() < 0.5 ? bytes : bytes.subarray(0, random.below(bytes.length));
}

type TextMutation = (text: string, random: Random) => string;

const inLines =
  (change: (lines: string[], at: number, random: Random) => string[]): TextMutation =>
  (text, random) => {
    const lines = text.split("\n");
    return change(lines, random.below(lines.length), random).join("\n");
  };

const changeValue: TextMutation = inLines((lines, at, random) => {
  const strange = random.next() < 0.3 ? idIn(lines, random) : random.of(strangeValues)(random);
  return lines.with(
    at,
    withinJson(lines[at] ?? "", (value) => changedIn(value, { strange, random })),
  );
});

const textMutations: readonly [TextMutation, ...TextMutation[]] = [
  changeValue,
  changeValue,
  changeValue,
  changeValue,
  changeValue,
  changeValue,
  inLines((lines, at) => lines.toSpliced(at, 1)),
  inLines((lines, at) => lines.toSpliced(at, 0, lines[at] ?? "")),
  inLines((lines, at, random) => {
    const other = random.below(lines.length);
    return lines.with(at, lines[other] ?? "").with(other, lines[at] ?? "");
  }),
  inLines((lines, at, random) => lines.toSpliced(at, random.below(8))),
  inLines((lines, at) => lines.slice(0, at)),
  inLines((lines, at, random) =>
    lines.with(at, (lines[at] ?? "").slice(0, random.below(lines[at]?.length || 1))),
  ),
  (text, random) => text.replaceAll(idIn([text], random), idIn([text], random)),
  (text, random) => inserted(text, random, random.of(strangeTexts)),
  (text, random) => `${text}\n${text}`.slice(0, random.below(2 * text.length)),
  (text, random) =>
    text.replace(/"format":1/, `"format":${random.of(["0", "2", '"1"', "1e9", "[]"])}`),
];

function inserted(text: string, random: Random, piece: string): string {
  const at = random.below(text.length);
  return text.slice(0, at) + piece + text.slice(at);
}

/** A line that is no JSON stays. */
function withinJson(line: string, change: (value: unknown) => unknown): string {
  try {
    return JSON.stringify(change(JSON.parse(line))) ?? "";
  } catch {
    return line;
  }
}

function changedIn(value: unknown, given: { strange: unknown; random: Random }): unknown {
  const { strange, random } = given;
  if (typeof value !== "object" || value === null || random.next() < 0.05) return strange;
  const keys = Object.keys(value);
  const key = keys[random.below(keys.length)];
  if (Array.isArray(value)) {
    const at = Number(key ?? 0);
    if (random.next() < 0.2) return value.toSpliced(at, 1);
    if (random.next() < 0.2) return [...value, value[at], strange];
    return key === undefined ? [strange] : value.with(at, changedIn(value[at], given));
  }
  const fields = value as Record<string, unknown>;
  if (key === undefined || random.next() < 0.05) return { ...fields, unknown: strange };
  if (random.next() < 0.15)
    return Object.fromEntries(keys.flatMap((each) => (each === key ? [] : [[each, fields[each]]])));
  return { ...fields, [key]: changedIn(fields[key], given) };
}

function idIn(lines: readonly string[], random: Random): string {
  const ids = lines.flatMap((line) => [...line.matchAll(/"[a-zA-Z]*[iI]d":"([^"\\]+)"/g)]);
  return ids[random.below(ids.length)]?.[1] ?? "none";
}

const strangeValues: readonly [(random: Random) => unknown, ...((random: Random) => unknown)[]] = [
  () => null,
  () => true,
  () => "",
  () => " ",
  () => "\0",
  () => "a\ud800b",
  () => "\u202e═══",
  () => "__proto__",
  () => "compaction_1",
  () => "temporary-1",
  () => "importing",
  () => "2026-13-45T99:99:99Z",
  () => "0001-01-01T00:00:00.000Z",
  () => "275760-09-13T00:00:00Z",
  () => "9999-12-31T23:59:59.999Z",
  () => "2026-01-01T00:00:00+23:59",
  (random) => "x".repeat(1 + random.below(3_000)),
  (random) => "漢 ".repeat(1 + random.below(20_000)),
  (random) => random.of([0, -0, -1, 0.5, 1, 2, 1e21, 1e308, -1e308, 2 ** 31, 2 ** 53, 2 ** 63]),
  () => [],
  () => ({}),
  () => [null],
  () => ({ type: "text" }),
  () => [{ type: "text", text: 5 }],
  (random) => nested(random.below(2_000)),
  (random) => Array.from({ length: random.below(2_000) }, (_, n) => n),
];

function nested(depth: number): unknown {
  return Array.from({ length: depth }).reduce<unknown>((inner) => ({ inner }), 1);
}

const strangeTexts: readonly [string, ...string[]] = [
  "\0",
  "\ufeff",
  "\r",
  "\n\n",
  "{",
  "}",
  '"',
  "\\u0000",
  "\\ud800",
  "1e999",
  "[".repeat(50_000),
  '{"a":'.repeat(20_000),
  '{"type":"__proto__"}\n',
  '{"__proto__":{"type":"end"}}\n',
];
