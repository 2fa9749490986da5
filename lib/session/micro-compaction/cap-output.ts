import { cutText } from "@/lib/session/text";

/** The most characters a model is given of one tool output. */
const defaultMaxOutputChars = 20_000;

/** A shortened value, and how many of its characters are left. */
interface CappedOutput {
  readonly output: unknown;
  readonly shownChars: number;
  readonly totalChars: number;
}

interface CapOptions {
  /** A sentence in the mark. */
  readonly advice?: string | undefined;
}

/** Room for a mark. An output that is over the cap by less than this is not worth shortening. */
const markChars = 100;
/** The least any item of a list or field of a record is shortened to, so that it says something beside its mark. */
const leastItemChars = 200;
/** Before items are left out, each is shortened to this part of what the whole may take. */
const leastItemShare = 1 / 8;

/** The length of a value as a model reads it: text as it is, anything else as JSON, in UTF-16 units. */
export function outputLength(value: unknown): number {
  return typeof value === "string" ? value.length : (JSON.stringify(value)?.length ?? 0);
}

/**
 * Shortens an output to about `maxChars` characters and marks it with its true size; `null` when it fits.
 *
 * Lists stay lists and records stay records; a last item or field counts what is left out. The result is never longer
 * than its source, and is not shortened again.
 */
export function capOutput(
  output: unknown,
  maxChars: number = defaultMaxOutputChars,
  { advice = "" }: CapOptions = {},
): CappedOutput | null {
  const totalChars = outputLength(output);
  const limit = Math.max(0, maxChars);
  if (totalChars <= limit + markChars + advice.length) return null;
  const words = (shown: number) => sizes(shown, totalChars) + (advice && `. ${advice}`);
  if (typeof output === "string") {
    const kept = cutText(output, limit);
    const mark = `… [shortened: the first ${words(kept.length)}]`;
    return { output: `${kept}${mark}`, shownChars: kept.length, totalChars };
  }
  // Models get the JSON of a value, so that is shortened.
  const smaller = new JsonShortener().shorten(JSON.parse(JSON.stringify(output)), limit);
  const shownChars = outputLength(smaller);
  return { output: withMark(smaller, words(shownChars)), shownChars, totalChars };
}

function sizes(shown: number, total: number): string {
  return `${inDigits(shown)} of ${inDigits(total)} characters`;
}

function inDigits(count: number): string {
  return count.toLocaleString("en");
}

function withMark(value: unknown, words: string): unknown {
  if (Array.isArray(value)) return [...value, `[shortened: ${words}]`];
  if (typeof value === "object") return withField(value, "[shortened]", words);
  return value;
}

function withField(record: object | null, name: string, words: string): object {
  let key = name;
  while (record && key in record) key = `[${key}]`;
  return { ...record, [key]: words };
}

interface Item {
  readonly value: unknown;
  /** Its own JSON, and what is written around it: its key, a colon, a comma. */
  readonly length: number;
  readonly around: number;
}

/** Shortens JSON values within a budget of characters, the longest first. */
class JsonShortener {
  readonly #lengths = new Map<object, number>();

  /** `budget` is at least `leastItemChars`, except for the outermost value. */
  shorten(value: unknown, budget: number): unknown {
    if (this.#lengthOf(value) <= budget) return value;
    if (typeof value === "string") return shortenedText(value, budget);
    if (Array.isArray(value)) return this.#shortenedList(value, budget);
    if (typeof value !== "object" || value === null) return value;
    return isBinary(value) ? binaryNote(value.data) : this.#shortenedRecord(value, budget);
  }

  #shortenedList(list: readonly unknown[], budget: number): unknown[] {
    const items = list.map((value) => ({ value, length: this.#lengthOf(value), around: 1 }));
    const kept = this.#shortenItems(items, budget);
    if (kept.length === list.length) return kept;
    return [...kept, `[left out: ${leftOut(kept, list)} items]`];
  }

  #shortenedRecord(record: object, budget: number): object {
    const entries = Object.entries(record);
    const items = entries.map(([key, value]) => {
      return { value, length: this.#lengthOf(value), around: JSON.stringify(key).length + 2 };
    });
    const kept = this.#shortenItems(items, budget);
    const smaller = Object.fromEntries(kept.map((value, index) => [entries[index]?.[0], value]));
    if (kept.length === entries.length) return smaller;
    return withField(smaller, "[left out]", `${leftOut(kept, entries)} fields`);
  }

  /** As many first items as fit, the longer ones shortened to one length. */
  #shortenItems(items: readonly Item[], budget: number): unknown[] {
    const room = budget - markChars / 2;
    const share = Math.max(leastItemChars, room * leastItemShare);
    const kept = items.slice(0, countWithin(items, { room, share }));
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

/** Counts the first items that fit when each is shortened to a share. */
function countWithin(
  items: readonly Item[],
  { room, share }: { room: number; share: number },
): number {
  let taken = 0;
  const over = items.findIndex(({ length, around }) => {
    taken += around + Math.min(length, share);
    return taken > room;
  });
  return over === -1 ? items.length : over;
}

/** The greatest length at which items of these lengths fit together when longer ones are shortened to it. */
function commonLength(items: readonly Item[], room: number): number {
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
  return `${text.slice(0, kept)}… [the first ${sizes(kept, text.length)}]`;
}

function escapedLength(character: string): number {
  return JSON.stringify(character).length - 2;
}

/** Half of an encoded picture is no picture: a model provider would refuse the whole request. */
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
