import { splitLongTables } from "./table-text";
import { weightOf } from "./text-weight";
import { linesOf, topLevelBlocks } from "./top-level-blocks";

export interface MarkdownBlock {
  readonly text: string;
  readonly isTable?: true;
  readonly isContinued?: true;
  readonly start?: number;
  /**
   * Containers that begin in an earlier block, outermost first: `q` for a quote, `i4` for an item whose text is
   * indented by 4. Strings are easily compared.
   */
  readonly within?: string;
  readonly isForced?: true;
}

/** Longer lists and quotes are divided, so that only their end is parsed again while they grow. */
const ENOUGH = 6_000;
/** Short lines cost as much as longer ones. */
const LINE_WEIGHT = 10;
const MAX_BLOCKS = 400;
const MAX_DEPTH = 12;

export function lightBlocks(text: string, depth = 0): readonly MarkdownBlock[] {
  return splitLongTables(text).flatMap((part): readonly MarkdownBlock[] => {
    if (part.isTable) return [{ text: part.text, isTable: true }];
    const blocks = topLevelBlocks(part.text);
    if (blocks.length > MAX_BLOCKS && depth === 0) return [{ text: part.text }];
    return blocks.flatMap((block) => partsOf(block, depth));
  });
}

function partsOf(text: string, depth: number): readonly MarkdownBlock[] {
  if (sizeOf(text) <= ENOUGH || depth >= MAX_DEPTH) return [{ text }];
  return quoteMark.test(text) ? partsOfQuote(text, depth) : partsOfLists(text, depth);
}

function sizeOf(text: string): number {
  let size = weightOf(text);
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) size += LINE_WEIGHT;
  return size;
}

const quoteMark = /^ {0,3}> ?/;

function partsOfQuote(text: string, depth: number): readonly MarkdownBlock[] {
  const lines = [...linesOf(text)];
  const end = lines.findLastIndex((line) => line.trim() !== "") + 1;
  // Lines after an unmarked one may continue the quote or not, so it stays whole.
  if (lines.slice(0, end).some((line) => line.trim() === "")) return [{ text }];
  const inner = lightBlocks(lines.map((line) => line.replace(quoteMark, "")).join(""), depth + 1);
  return joined(inner, { lines, container: "q", first: {} });
}

interface ListItem {
  readonly text: string;
  readonly indent: number;
  readonly number: number | null;
  readonly isContinued: boolean;
}

function partsOfLists(text: string, depth: number): readonly MarkdownBlock[] {
  const parts: MarkdownBlock[] = [];
  let open: MarkdownBlock | null = null;
  let size = 0;
  const close = () => {
    if (open) parts.push(open);
    open = null;
    size = 0;
  };
  for (const item of itemsOf(text)) {
    const ownSize = sizeOf(item.text);
    const isLong = ownSize > 2 * ENOUGH && item.indent > 0;
    if (isLong || size >= ENOUGH) close();
    if (isLong) {
      parts.push(...partsOfItem(item, depth));
    } else {
      const before: MarkdownBlock = open ?? { text: "", ...placeOf(item) };
      open = { ...before, text: before.text + item.text };
      size += ownSize;
    }
  }
  close();
  return parts;
}

function placeOf({ isContinued, number }: ListItem): Omit<MarkdownBlock, "text"> {
  if (!isContinued) return {};
  return { isContinued, ...(number !== null && { start: number }) };
}

function partsOfItem(item: ListItem, depth: number): readonly MarkdownBlock[] {
  const lines = [...linesOf(item.text)];
  const mark = itemMark.exec(lines[0] ?? "")?.[0].trimEnd() ?? "";
  const content = lines.map((line, at) => dedented(line, item.indent, at === 0 ? mark : ""));
  const inner = lightBlocks(content.join(""), depth + 1);
  const container = `i${item.indent}`;
  return joined(inner, { lines, container, first: placeOf(item) });
}

interface Outside {
  readonly lines: readonly string[];
  readonly container: string;
  readonly first: Omit<MarkdownBlock, "text">;
}

function joined(
  inner: readonly MarkdownBlock[],
  { lines, container, first }: Outside,
): readonly MarkdownBlock[] {
  const parts: MarkdownBlock[] = [];
  let at = 0;
  let size = 0;
  for (const { text, ...place } of inner) {
    const from = at;
    at += lineCount(text);
    const outer = lines.slice(from, at).join("");
    const last = parts.at(-1);
    const within = withinOf(place, { container, isFirst: parts.length === 0 });
    const isOfLast = last?.within === within || (parts.length === 1 && within === container);
    const isPlain = !place.isTable && !place.isContinued && !last?.isTable;
    if (last && isPlain && isOfLast && size < ENOUGH) {
      parts[parts.length - 1] = { ...last, text: last.text + outer };
      size += sizeOf(text);
    } else {
      const isMarked = parts.length === 0 && within === undefined;
      parts.push({
        text: outer,
        ...place,
        ...(isMarked ? first : { isContinued: true }),
        ...(within !== undefined && { within }),
      });
      size = sizeOf(text);
    }
  }
  return parts;
}

/** A quote has its mark on every line, an item only on its first. */
function withinOf(
  { within, isTable }: Omit<MarkdownBlock, "text">,
  { container, isFirst }: { readonly container: string; readonly isFirst: boolean },
): string | undefined {
  if (within !== undefined) return `${container} ${within}`;
  if (isTable) return container;
  return isFirst || container === "q" ? undefined : container;
}

function lineCount(text: string): number {
  const ends = text.split("\n").length - 1;
  return text.endsWith("\n") ? ends : ends + 1;
}

const itemMark = /^([ \t]*)(?:([-*+])|(\d{1,9})([.)]))([ \t]+|$)/;
const rule = /^ {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$/;
const otherBlock = /^ {0,3}(?:#{1,6}(?:\s|$)|>|`{3,}|~{3,}|<)/;
/** Blocks that may hold lines that look like items. */
const opaque = /^ {0,3}(?:`{3,}|~{3,}|<|\$\$|\\\[)/;

interface OpenList {
  readonly sign: string;
  readonly indent: number;
  readonly nextNumber: number | null;
}

function* itemsOf(markdown: string): Generator<ListItem> {
  let text = "";
  let item: Omit<ListItem, "text"> = { indent: 0, number: null, isContinued: false };
  let list: OpenList | null = null;
  let isAfterBlank = true;
  let isOpaque = false;
  for (const raw of linesOf(markdown)) {
    const line = raw.trimEnd();
    const isBlank = line === "";
    const isInside = list !== null && columnsOf(line) >= list.indent;
    if (!isBlank && !isInside && !isOpaque) {
      const interrupts = list === null && !isAfterBlank;
      const next: OpenList | null = itemAt(line, { list, interrupts });
      if (next) {
        if (text !== "") yield { ...item, text };
        text = "";
        item = {
          indent: next.indent,
          number: next.nextNumber === null ? null : next.nextNumber - 1,
          isContinued: list?.sign === next.sign,
        };
        list = next;
      } else if (isAfterBlank || otherBlock.test(line) || rule.test(line)) {
        list = null;
        isOpaque = opaque.test(line);
      }
    }
    text += raw;
    isAfterBlank = isBlank;
  }
  yield { ...item, text };
}

function itemAt(
  line: string,
  { list, interrupts }: { readonly list: OpenList | null; readonly interrupts: boolean },
): OpenList | null {
  const [whole, lead = "", bullet, digits, delimiter, space = ""] = itemMark.exec(line) ?? [];
  if (whole === undefined || columnsOf(lead) > 3 || rule.test(line)) return null;
  const isEmpty = whole.length === line.length;
  // A paragraph goes on at a line with another number.
  if (interrupts && (isEmpty || (digits !== undefined && Number(digits) !== 1))) return null;
  const sign = bullet ?? delimiter ?? "";
  const markEnd = columnsOf(lead) + whole.trim().length;
  const textStart = columnsIn(whole);
  const indent = isEmpty || textStart - markEnd > 4 ? markEnd + 1 : textStart;
  const number =
    list?.sign === sign ? list.nextNumber : digits === undefined ? null : Number(digits);
  return {
    sign,
    indent: space === "" ? markEnd + 1 : indent,
    nextNumber: number === null ? null : number + 1,
  };
}

function columnsOf(line: string): number {
  if (!/^[ \t]/.test(line)) return 0;
  return columnsIn(/^[ \t]*/.exec(line)?.[0] ?? "");
}

function columnsIn(text: string): number {
  let columns = 0;
  for (const character of text) columns += character === "\t" ? 4 - (columns % 4) : 1;
  return columns;
}

/** Removes up to `indent` columns of white space, or the mark of an item. A tab may leave spaces. */
function dedented(line: string, indent: number, mark = ""): string {
  let columns = 0;
  let at = 0;
  while (columns < indent && at < line.length) {
    const character = line[at] ?? "";
    if (character === "\n" || (at >= mark.length && !/[ \t]/.test(character))) break;
    columns += character === "\t" ? 4 - (columns % 4) : 1;
    at += 1;
  }
  return " ".repeat(Math.max(0, columns - indent)) + line.slice(at);
}

export function innerText({ text, within = "" }: Pick<MarkdownBlock, "text" | "within">): string {
  const containers = within.split(" ").filter((each) => each !== "");
  return containers.reduce(
    (inner, container) =>
      [...linesOf(inner)]
        .map((line) =>
          container === "q"
            ? line.replace(quoteMark, "")
            : dedented(line, Number(container.slice(1))),
        )
        .join(""),
    text,
  );
}
