import { InvalidArgumentError } from "../../session";
import { storableText } from "../../session/internal";

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** Key of an object that represents a value JSON or a database cannot hold. */
const mark = "$grove";

/**
 * JSON that every store returns unchanged: bytes, U+0000 and lone surrogates are encoded, undefined properties dropped.
 * @throws {InvalidArgumentError} for other values that JSON cannot hold, and hidden properties.
 */
export function toStoredValue(value: unknown): JsonValue {
  if (typeof value === "string") return isPlain(value) ? value : marked("text", escaped(value));
  if (value === null || typeof value === "boolean") return value;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  if (value instanceof Uint8Array) return marked("bytes", Buffer.from(value).toString("base64"));
  if (Array.isArray(value)) return Array.from(value, toStoredValue);
  if (isPlainObject(value) && Reflect.ownKeys(value).length === Object.keys(value).length) {
    const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
    const stored = entries.map(([key, inner]) => [key, toStoredValue(inner)] as const);
    if (entries.every(([key]) => isPlainKey(key))) return Object.fromEntries(stored);
    return marked(
      "object",
      stored.map(([key, inner]) => [escaped(key), inner]),
    );
  }
  const kind = typeof value === "object" ? "other objects" : typeof value;
  throw new InvalidArgumentError(`An item of the Agents SDK holds JSON and bytes, not ${kind}.`);
}

export function fromStoredValue(value: JsonValue): unknown {
  if (isList(value)) return value.map(fromStoredValue);
  if (typeof value !== "object" || value === null) return value;
  const { [mark]: kind, value: inner } = value;
  if (kind === "text" && typeof inner === "string") return JSON.parse(inner) as unknown;
  if (kind === "bytes" && typeof inner === "string") {
    return new Uint8Array(Buffer.from(inner, "base64"));
  }
  const entries =
    kind === "object" && isList(inner) ? inner.map(unescapedEntry) : Object.entries(value);
  return Object.fromEntries(entries.map(([key, each]) => [key, fromStoredValue(each)]));
}

export function shownText(value: JsonValue | undefined): string {
  if (typeof value === "string") return value;
  if (!isObject(value) || value[mark] !== "text") return "";
  return storableText(String(fromStoredValue(value)));
}

export function valueKey(value: JsonValue): string {
  return JSON.stringify(value, (_, each: JsonValue) =>
    isObject(each)
      ? Object.fromEntries(Object.entries(each).sort(([one], [other]) => (one < other ? -1 : 1)))
      : each,
  );
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** `Array.isArray` does not recognize readonly arrays. */
export function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function marked(kind: string, value: JsonValue): JsonValue {
  return { [mark]: kind, value };
}

function isPlain(text: string): boolean {
  return !text.includes("\u0000") && text.isWellFormed();
}

function isPlainKey(key: string): boolean {
  return isPlain(key) && key !== mark && key !== "__proto__";
}

function escaped(text: string): string {
  return JSON.stringify(text);
}

function unescapedEntry(entry: JsonValue): [string, JsonValue] {
  const [key = "", value = null] = isList(entry) ? entry : [];
  return [JSON.parse(String(key)) as string, value];
}

function isPlainObject(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
