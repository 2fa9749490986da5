import { fieldsOf, firstText, isFields, itemsOf } from "./read-values";

/** A refusal may be JSON, plain text, or HTML, whose title counts. */
export function providerWords(body: string): string {
  const text = body.trim();
  if (text === "") return "";
  const parsed = parsedJson(text);
  if (parsed !== undefined) return wordsIn(parsed);
  if (/^<(?:!doctype|html|head|body|\?xml)/i.test(text)) return titleOf(text);
  // A refused stream sends its error as an event.
  const data = [...text.matchAll(/^data:(.*)$/gm)].map(([, line]) =>
    parsedJson(line?.trim() ?? ""),
  );
  const said = data.map((value) => (value === undefined ? "" : wordsIn(value))).find(Boolean);
  return said ?? (data.length > 0 ? "" : text);
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const deepest = 5;

export function wordsIn(value: unknown, depth = 0): string {
  if (typeof value === "string") return value.trim();
  // A value without fields would cost a search for each field below.
  if (typeof value !== "object" || value === null || depth > deepest) return "";
  if (Array.isArray(value)) return wordsIn(value[0], depth + 1);
  const {
    error,
    errors,
    message,
    detail,
    details,
    msg,
    error_msg,
    error_description,
    title,
    reason,
  } = fieldsOf(value);
  for (const each of [
    error,
    message,
    detail,
    msg,
    error_msg,
    error_description,
    errors,
    details,
    title,
  ]) {
    const words = wordsIn(each, depth + 1);
    if (words !== "") return words;
  }
  return firstText(reason) ?? "";
}

function titleOf(html: string): string {
  const [, title = ""] = /<title[^>]*>([^<]*)/i.exec(html) ?? /<h1[^>]*>([^<]*)/i.exec(html) ?? [];
  return title.replace(/\s+/g, " ").trim().slice(0, 100);
}

export interface SaidError {
  readonly message: string;
  readonly type: string | undefined;
  readonly code: string | undefined;
}

export function inWords(message: string): SaidError {
  return { message, type: undefined, code: undefined };
}

/** Many servers send `error: null` in each event. */
export function errorIn(event: unknown): SaidError | null {
  if (!isFields(event)) return null;
  const { error, object, type, status } = event;
  const isNone = error === undefined || error === null || error === "" || error === false;
  const isError = !isNone || object === "error" || type === "error" || type === "exception";
  const isBare = isBareRefusal(event);
  if (!isError && !isBare) return null;
  const inner = fieldsOf(itemsOf(error)[0]);
  const words =
    wordsIn(isNone ? { ...event, error: undefined } : error) ||
    wordsIn({ ...event, error: undefined });
  const kind = firstText(inner.type, inner.status, type === "error" ? undefined : type);
  return {
    message: words === "" ? JSON.stringify(event).slice(0, longestWords) : words,
    type: kind,
    code: firstText(inner.code, event.code, inner.statusCode, status),
  };
}

const longestWords = 1_000;

/** No answer has only the fields of `{ detail: "…" }` or `{ code: 1302, msg: "…" }`. */
function isBareRefusal(event: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(event).every((name) => bareNames.has(name)) && wordsIn(event) !== "";
}

const bareNames = new Set(
  "message detail details msg errors error_msg error_code error_description code status success request_id requestId timestamp path param title".split(
    " ",
  ),
);
