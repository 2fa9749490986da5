import { cutText } from "../text";

const defaultMaxOutputChars = 20_000;

interface CappedOutput {
  readonly output: unknown;
  readonly shownChars: number;
  readonly totalChars: number;
}

interface CapOptions {
  readonly advice?: string | undefined;
  readonly maxLines?: number | undefined;
}

/** Room for a mark; less excess is not worth shortening. */
const markChars = 100;
const leastItemChars = 200;
/** Items shortened to this share of the whole are left out instead. */
const leastItemShare = 1 / 8;

/** Length as text, or else as JSON, in UTF-16 units. */
export function outputLength(value: unknown): number {
  return typeof value === "string" ? value.length : (JSON.stringify(value)?.length ?? 0);
}

/**
 * Shortens an output to about `maxChars` characters, and each text in it to `maxLines`, and marks its true size; `null`
 * when it fits. Lists stay lists and records records, the last item counting the rest. A result is not shortened again.
 */
export function capOutput(
  output: unknown,
  maxChars: number = defaultMaxOutputChars,
  { advice = "", maxLines = 0 }: CapOptions = {},
): CappedOutput | null {
  const capped = withinChars(output, maxChars, advice);
  const shorter = capped ? capped.output : output;
  const fewer = maxLines > 0 ? firstLines(shorter, maxLines) : shorter;
  if (fewer === shorter) return capped;
  return { output: fewer, shownChars: outputLength(fewer), totalChars: outputLength(output) };
}

function withinChars(output: unknown, maxChars: number, advice: string): CappedOutput | null {
  const totalChars = outputLength(output);
  const limit = Math.max(0, maxChars);
  if (totalChars <= limit + markChars + advice.length) return null;
  const words = (shown: number) => sizes(shown, totalChars) + (advice && `. ${advice}`);
  if (typeof output === "string") {
    const kept = cutText(output, limit);
    const mark = `… [truncated: the first ${words(kept.length)}]`;
    return { output: `${kept}${mark}`, shownChars: kept.length, totalChars };
  }
  const smaller = new JsonShortener().shorten(JSON.parse(JSON.stringify(output)), limit);
  const shownChars = outputLength(smaller);
  return { output: withMark(smaller, words(shownChars)), shownChars, totalChars };
}

function firstLines(value: unknown, maxLines: number): unknown {
  if (typeof value === "string") return textOfLines(value, maxLines);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  const fewer = entries.map(([, each]) => firstLines(each, maxLines));
  if (fewer.every((each, at) => each === entries[at]?.[1])) return value;
  if (Array.isArray(value)) return fewer;
  return Object.fromEntries(entries.map(([key], at) => [key, fewer[at]]));
}

function textOfLines(text: string, maxLines: number): string {
  const lines = text.split("\n");
  if (lines.length <= maxLines) return text;
  const kept = lines.slice(0, maxLines).join("\n");
  const ofChars = /… \[truncated: .* of ([\d,]+) characters\b.*\]$/.exec(text)?.[1];
  const size = ofChars
    ? `${inDigits(kept.length)} of ${ofChars} characters`
    : `${inDigits(maxLines)} of ${inDigits(lines.length)} lines`;
  return `${kept}… [truncated: the first ${size}]`;
}

function sizes(shown: number, total: number): string {
  return `${inDigits(shown)} of ${inDigits(total)} characters`;
}

function inDigits(count: number): string {
  return count.toLocaleString("en");
}

function withMark(value: unknown, words: string): unknown {
  if (Array.isArray(value)) return [...value, `[truncated: ${words}]`];
  if (typeof value === "object") return withField(value, "[truncated]", words);
  return value;
}

function withField(record: object | null, name: string, words: string): object {
  let key = name;
  while (record && key in record) key = `[${key}]`;
  return { ...record, [key]: words };
}

interface JsonItem {
  readonly value: unknown;
  readonly length: number;
  readonly around: number;
}

interface Limits {
  readonly room: number;
  readonly share: number;
}

function limitsOf(budget: number): Limits {
  const room = budget - markChars / 2;
  return { room, share: Math.max(leastItemChars, room * leastItemShare) };
}

class JsonShortener {
  readonly #lengths = new Map<object, number>();

  shorten(value: unknown, budget: number): unknown {
    if (this.#lengthOf(value) <= budget) return value;
    if (typeof value === "string") return shortenedText(value, budget);
    if (Array.isArray(value)) return this.#shortenedList(value, budget);
    if (typeof value !== "object" || value === null) return value;
    return isBinary(value) ? binaryNote(value.data) : this.#shortenedRecord(value, budget);
  }

  #shortenedList(list: readonly unknown[], budget: number): unknown[] {
    const items = list.map((value) => ({ value, length: this.#lengthOf(value), around: 1 }));
    const limits = limitsOf(budget);
    const kept = this.#shortenItems(items.slice(0, countWithin(items, limits)), limits);
    if (kept.length === list.length) return kept;
    return [...kept, `[left out: ${leftOut(kept, list)} items]`];
  }

  #shortenedRecord(record: object, budget: number): object {
    const entries = Object.entries(record);
    const items = entries.map(([key, value]) => {
      return { value, length: this.#lengthOf(value), around: JSON.stringify(key).length + 2 };
    });
    const limits = limitsOf(budget);
    const chosen = fieldsWithin(items, limits);
    const kept = this.#shortenItems(
      chosen.flatMap((index) => items[index] ?? []),
      limits,
    );
    const names = chosen.map((index) => entries[index]?.[0]);
    const smaller = Object.fromEntries(kept.map((value, index) => [names[index], value]));
    if (kept.length === entries.length) return smaller;
    return withField(smaller, "[left out]", `${leftOut(kept, entries)} fields`);
  }

  #shortenItems(kept: readonly JsonItem[], { room }: Limits): unknown[] {
    const around = kept.reduce((sum, item) => sum + item.around, 0);
    const level = commonLength(kept, room - around);
    return kept.map(({ value }) => this.shorten(value, level));
  }

  #lengthOf(value: unknown): number {
    if (typeof value !== "object" || value === null) return JSON.stringify(value).length;
    const known = this.#lengths.get(value);
    if (known !== undefined) return known;
    const entries = Object.entries(value);
    const keys = Array.isArray(value)
      ? 0
      : entries.reduce((sum, [key]) => sum + JSON.stringify(key).length + 1, 0);
    const commas = Math.max(0, entries.length - 1);
    const length = entries.reduce((sum, [, item]) => sum + this.#lengthOf(item), 2 + keys + commas);
    this.#lengths.set(value, length);
    return length;
  }
}

function leftOut(kept: readonly unknown[], all: readonly unknown[]): string {
  return `${inDigits(all.length - kept.length)} of ${inDigits(all.length)}`;
}

function countWithin(items: readonly JsonItem[], { room, share }: Limits): number {
  let taken = 0;
  const over = items.findIndex(({ length, around }) => {
    taken += around + Math.min(length, share);
    return taken > room;
  });
  return over === -1 ? items.length : over;
}

/** A long field displaces no short one. */
function fieldsWithin(items: readonly JsonItem[], { room, share }: Limits): number[] {
  const needed = items.map(({ length, around }) => around + Math.min(length, share));
  const shortestFirst = [...needed.entries()].toSorted(([, one], [, other]) => one - other);
  let taken = 0;
  const kept = shortestFirst.filter(([, length]) => {
    taken += length;
    return taken <= room;
  });
  return kept.map(([index]) => index).toSorted((one, other) => one - other);
}

function commonLength(items: readonly JsonItem[], room: number): number {
  let left = room;
  const ascending = items.map(({ length }) => length).toSorted((one, other) => one - other);
  for (const [index, length] of ascending.entries()) {
    const equal = Math.floor(left / (ascending.length - index));
    if (length > equal) return equal;
    left -= length;
  }
  return room;
}

function shortenedText(text: string, budget: number): string {
  const room = budget - markChars / 2;
  let kept = 0;
  let length = 0;
  for (const character of text) {
    length += escapedLength(character);
    if (length > room) break;
    kept += character.length;
  }
  return `${text.slice(0, kept)}… [truncated: ${sizes(kept, text.length)}]`;
}

function escapedLength(character: string): number {
  return JSON.stringify(character).length - 2;
}

/** A provider would refuse a request with half an encoded picture. */
function isBinary(value: object): value is { data: string } {
  return (
    "data" in value &&
    typeof value.data === "string" &&
    ("mediaType" in value || "mimeType" in value)
  );
}

function binaryNote(data: string): object {
  return {
    type: "text",
    text: `[left out: ${inDigits(data.length)} characters of binary content]`,
  };
}
