import { cutText } from "@/lib/session/text";

const startLimit = 512;

/** The JSON length of a value, in characters. */
export function jsonLength(value: unknown): number {
  return typeof value === "string" ? value.length : (JSON.stringify(value)?.length ?? 0);
}

/**
 * The same value with less in it, at most about `maxChars` characters as JSON: long texts cut, long lists and records
 * shortened, harder until it fits. Lists stay lists and records stay records, so that what reads them still can.
 */
export function shrinkJson(value: unknown, maxChars: number): unknown {
  if (typeof value === "string") return cutWithNote(value, maxChars);
  if (typeof value !== "object" || jsonLength(value) <= maxChars) return value;
  for (let limit = startLimit; limit >= 1; limit /= 2) {
    const smaller = shrinkTo(value, limit);
    if (jsonLength(smaller) <= maxChars) return smaller;
  }
  return Array.isArray(value) ? [] : {};
}

/** The beginning of a text, with a note how much is missing. */
export function cutWithNote(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  return `${cutText(text, maxChars)}… [${text.length - maxChars} characters left out]`;
}

function shrinkTo(value: unknown, limit: number): unknown {
  if (typeof value === "string") return cutWithNote(value, limit);
  if (Array.isArray(value)) return value.slice(0, limit).map((item) => shrinkTo(item, limit));
  if (typeof value !== "object" || value === null) return value;
  if (isBinary(value)) return { type: "text", text: "[binary content left out]" };
  const entries = Object.entries(value).slice(0, limit + 1);
  return Object.fromEntries(entries.map(([key, item]) => [key, shrinkTo(item, limit)]));
}

/** Half of an encoded picture is no picture: a model provider would refuse the whole request. */
function isBinary(value: object): boolean {
  return (
    "data" in value &&
    typeof value.data === "string" &&
    ("mediaType" in value || "mimeType" in value)
  );
}
