export type FrontMatterValue = string | readonly string[] | Readonly<Record<string, string>>;

export interface FrontMatterField {
  readonly name: string;
  /** `null` for values nested deeper than a list or a map of texts. */
  readonly value: FrontMatterValue | null;
}

export interface FrontMatter {
  readonly fields: readonly FrontMatterField[];
  readonly body: string;
}

/** `line` counts from 1, in the whole text. */
export class FrontMatterError extends Error {
  override readonly name = "FrontMatterError";

  constructor(
    readonly line: number,
    reason: string,
  ) {
    super(`Line ${line}: ${reason}`);
  }
}

/**
 * Reads the part of YAML that front matter uses: texts (plain, quoted, `|`, `>`), lists and maps of texts. A plain text
 * may contain a colon. @throws {FrontMatterError}
 */
export function readFrontMatter(text: string): FrontMatter {
  const { segments, body } = split(text);
  return {
    fields: segments.flatMap((segment) =>
      segment.name === null ? [] : [{ name: segment.name, value: fieldValue(segment) }],
    ),
    body: body.trim(),
  };
}

/** `null` removes a field. Other fields' lines and comments stay as they are. @throws {FrontMatterError} */
export function withFields(
  text: string,
  changes: Readonly<Record<string, string | readonly string[] | null>>,
  body: string,
): string {
  const { segments } = split(text);
  const present = new Set(segments.map(({ name }) => name));
  const kept = segments.flatMap(({ name, lines }) => {
    const change = name !== null && Object.hasOwn(changes, name) ? changes[name] : undefined;
    return change === undefined ? lines : written(name ?? "", change);
  });
  const added = Object.entries(changes).flatMap(([name, value]) =>
    present.has(name) ? [] : written(name, value),
  );
  return ["---", ...kept, ...added, "---", "", body.trim(), ""].join("\n");
}

interface Segment {
  /** `null` for comments and empty lines. */
  readonly name: string | null;
  readonly first: string;
  readonly lines: readonly string[];
  readonly line: number;
}

/** In characters, up to the line that ends it. */
const longest = 20_000;

function split(text: string): { segments: Segment[]; body: string } {
  const lines = text.replace(/^\uFEFF/, "").split(/\r\n|\r|\n/);
  if (!/^---\s*$/.test(lines[0] ?? "")) return { segments: [], body: text };
  const end = lines.findIndex((line, at) => at > 0 && /^(---|\.\.\.)\s*$/.test(line));
  if (end < 0) throw new FrontMatterError(1, "no later line ends what begins here with ---.");
  const own = lines.slice(1, end);
  assertShort(own);
  const segments = segmentsOf(own);
  return { segments, body: lines.slice(end + 1).join("\n") };
}

function assertShort(lines: readonly string[]): void {
  let length = 0;
  for (const [at, line] of lines.entries()) {
    length += line.length + 1;
    if (length <= longest) continue;
    const limit = longest.toLocaleString("en");
    throw new FrontMatterError(at + 2, `above the second --- are more than ${limit} characters.`);
  }
}

function segmentsOf(lines: readonly string[]): Segment[] {
  const segments: Segment[] = [];
  const names = new Set<string>();
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? "";
    const number = at + 2;
    if (/^\s*(#|$)/.test(line)) {
      segments.push({ name: null, first: "", lines: [line], line: number });
      at++;
      continue;
    }
    const [, quoted, plain, value = ""] =
      /^(?:"([^"]+)"|([^\s:#"'[{-][^\s:]*)):(?:\s+(.*))?$/s.exec(line) ?? [];
    const name = quoted ?? plain;
    if (name === undefined)
      throw new FrontMatterError(number, `“${line.slice(0, 60)}” is no “key: value”.`);
    if (names.has(name)) throw new FrontMatterError(number, `“${name}” is there twice.`);
    names.add(name);
    const isOpen = /^(#.*)?$/.test(value.trim());
    let next = at + 1;
    while (next < lines.length && continues(lines[next] ?? "", isOpen)) next++;
    while (next > at + 1 && (lines[next - 1] ?? "").trim() === "") next--;
    const own = lines.slice(at, next);
    const tab = own.findIndex((each) => /^ *\t/.test(each));
    if (tab > 0) throw new FrontMatterError(number + tab, "indent with spaces, not with a tab.");
    segments.push({ name, first: isOpen ? "" : value.trim(), lines: own, line: number });
    at = next;
  }
  return segments;
}

function continues(line: string, mayBeList: boolean): boolean {
  return /^(\s|$)/.test(line) || (mayBeList && /^-(\s|$)/.test(line));
}

function fieldValue({ first, lines, line }: Segment): FrontMatterValue | null {
  const rest = lines.slice(1);
  if (/^[|>][+-]?\d?[+-]?(\s+#.*)?$/.test(first)) return blockText(first, rest);
  const filled = rest.filter((each) => !/^\s*(#|$)/.test(each));
  if (first !== "") return inline([first, ...filled.map((each) => each.trim())].join(" "), line);
  if (filled.every((each) => /^\s*-(\s|$)/.test(each))) return listOf(filled, line);
  const pairs = filled.map((each) => /^(\s+)([^\s:"'[{]+):(?:\s+(.*))?$/s.exec(each));
  const isMap = pairs.every((pair) => pair?.[1] === pairs[0]?.[1] && (pair?.[3] ?? "") !== "");
  if (isMap)
    return mapOf(
      pairs.map((pair) => [pair?.[2] ?? "", pair?.[3] ?? ""]),
      line,
    );
  const isNested = filled.some((each) => /^\s*-\s|^\s+[\w-]+:(\s|$)/.test(each));
  return isNested ? null : inline(filled.map((each) => each.trim()).join(" "), line);
}

function listOf(lines: readonly string[], line: number): string | readonly string[] | null {
  if (lines.length === 0) return "";
  const items = lines.map((each) => inline(each.replace(/^\s*-\s*/, ""), line));
  return items.every((item) => typeof item === "string") ? items : null;
}

function mapOf(
  pairs: readonly (readonly [string, string])[],
  line: number,
): FrontMatterValue | null {
  const entries = pairs.map(([name, value]) => [name, inline(value, line)] as const);
  const isFlat = entries.every(([, value]) => typeof value === "string");
  return isFlat ? (Object.fromEntries(entries) as Record<string, string>) : null;
}

function blockText(first: string, lines: readonly string[]): string {
  const indent = Math.min(
    ...lines.filter((each) => each.trim() !== "").map((each) => each.search(/\S/)),
  );
  const texts = lines.map((each) => each.slice(indent));
  const joined = first.startsWith("|") ? texts.join("\n") : texts.join(" ").replace(/ +/g, " ");
  return joined.trim();
}

function inline(text: string, line: number): FrontMatterValue | null {
  const quote = text[0];
  if (quote === '"' || quote === "'") return quotedText(text, line);
  if (quote === "[" || quote === "{") return flow(text, line);
  const comment = text.search(/(?<!\S)#/);
  return comment < 0 ? text : text.slice(0, comment).trimEnd();
}

const quotes = {
  '"': /^"((?:[^"\\]|\\.)*)"\s*(#.*)?$/,
  "'": /^'((?:[^']|'')*)'\s*(#.*)?$/,
} as const;

function quotedText(text: string, line: number): string {
  const quote = text.startsWith('"') ? '"' : "'";
  const inner = quotes[quote].exec(text)?.[1];
  if (inner === undefined)
    throw new FrontMatterError(line, `a text in ${quote} does not end with it.`);
  if (quote === "'") return inner.replaceAll("''", "'");
  try {
    return String(JSON.parse(`"${inner}"`));
  } catch {
    return inner.replace(/\\n/g, "\n").replace(/\\(.)/g, "$1");
  }
}

function flow(text: string, line: number): FrontMatterValue | null {
  const close = text.startsWith("[") ? "]" : "}";
  const end = text.lastIndexOf(close);
  if (end < 0 || !/^\s*($|(?<=\s)#)/.test(text.slice(end + 1)))
    throw new FrontMatterError(line, `“${text[0]}” has no “${close}”.`);
  const items = commaParts(text.slice(1, end));
  if (items.some((item) => /^[[{]/.test(item))) return null;
  if (close === "]")
    return (
      listOf(
        items.map((item) => `- ${item}`),
        line,
      ) || []
    );
  const pairs = items.map((item) => /^["']?([^"':]+)["']?:\s*(.+)$/s.exec(item));
  return pairs.some((pair) => !pair)
    ? null
    : mapOf(
        pairs.map((pair) => [pair?.[1] ?? "", pair?.[2] ?? ""]),
        line,
      );
}

/** A quote is one where an item or a value begins; “don't” holds none. */
function commaParts(text: string): string[] {
  const parts: string[] = [];
  let [from, quote, isBegin] = [0, "", true];
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] ?? "";
    if (quote !== "") {
      if (quote === '"' ? sign === "\\" : sign === "'" && text[at + 1] === "'") at++;
      else if (sign === quote) quote = "";
    } else if (sign === ",") {
      parts.push(text.slice(from, at));
      [from, isBegin] = [at + 1, true];
    } else if (isBegin && (sign === '"' || sign === "'")) [quote, isBegin] = [sign, false];
    else isBegin = sign === ":" || (isBegin && sign.trim() === "");
  }
  return [...parts, text.slice(from)].map((part) => part.trim()).filter((part) => part !== "");
}

function written(name: string, value: string | readonly string[] | null): string[] {
  if (value === null) return [];
  if (typeof value !== "string")
    return value.length === 0
      ? [`${name}: []`]
      : [`${name}:`, ...value.map((item) => `  - ${scalar(item)}`)];
  return [`${name}: ${scalar(value)}`];
}

/** Quoted where another reader of YAML could take the text for something else. */
function scalar(text: string): string {
  const isPlain =
    /^[\p{L}\p{N}\p{Extended_Pictographic}][^\n\r\t:#"'[\]{}\\]*$/u.test(text) &&
    text === text.trim();
  const isWord = /^(true|false|null|yes|no|on|off|~)$/i.test(text);
  return isPlain && !isWord ? text : JSON.stringify(text);
}
