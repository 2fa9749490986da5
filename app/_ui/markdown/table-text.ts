export interface TableText {
  readonly heads: readonly string[];
  readonly aligns: readonly Align[];
  readonly rows: readonly (readonly string[])[];
}

export type Align = "left" | "right" | "center" | null;

const most = { rows: 100, cells: 600, chars: 12_000 };

export interface TextWithTables {
  readonly text: string;
  readonly isTable: boolean;
}

export function splitLongTables(text: string): readonly TextWithTables[] {
  const lines = text.split(/(?<=\n)/);
  const found: TextWithTables[] = [];
  let rest = "";
  let at = 0;
  let fence: string | null = null;
  while (at < lines.length) {
    const line = lines[at] ?? "";
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? null;
    if (fence === null) fence = mark;
    else if (mark?.startsWith(fence)) fence = null;
    const end = fence === null && isHead(line, lines[at + 1]) ? endOfTable(lines, at) : at;
    // An indented table may belong to an item of a list.
    if (end > at && !/^\s/.test(line) && isLong(lines.slice(at, end))) {
      if (rest !== "") found.push({ text: rest, isTable: false });
      found.push({ text: lines.slice(at, end).join(""), isTable: true });
      rest = "";
      at = end;
    } else {
      rest += line;
      at += 1;
    }
  }
  if (rest !== "") found.push({ text: rest, isTable: false });
  return found;
}

export function readLongTable(block: string): TableText | null {
  const text = block.trim();
  const second = text.indexOf("\n");
  const third = text.indexOf("\n", second + 1);
  if (third === -1 || !isHead(text.slice(0, second), text.slice(second + 1, third))) return null;
  const lines = text.split("\n");
  if (!isLong(lines) || endOfTable(lines, 0) < lines.length) return null;
  return tableOf(lines);
}

function isLong(lines: readonly string[]): boolean {
  const rows = lines.length - 2;
  if (rows > most.rows || rows * cellsOf(lines[0] ?? "").length > most.cells) return rows > 1;
  return rows > 1 && lines.reduce((sum, line) => sum + line.length, 0) > most.chars;
}

export function readTable(text: string): TableText | null {
  const lines = text.trim().split("\n");
  return isHead(lines[0] ?? "", lines[1]) ? tableOf(lines) : null;
}

function tableOf([head = "", delimiters = "", ...rows]: readonly string[]): TableText {
  const heads = cellsOf(head);
  const aligns = cellsOf(delimiters).map(alignOf);
  const even = (cells: string[]) => heads.map((_, index) => cells[index] ?? "");
  return { heads, aligns, rows: rows.map((row) => even(cellsOf(row))) };
}

const delimiterRow = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*\r?\n?$/;

function isHead(line: string, next: string | undefined): boolean {
  if (next === undefined || !line.includes("|") || !next.includes("-")) return false;
  return delimiterRow.test(next) && cellsOf(line).length === cellsOf(next).length;
}

const otherBlock = /^\s*$|^ {0,3}(>|#{1,6}\s|`{3,}|~{3,})/;

function endOfTable(lines: readonly string[], from: number): number {
  let end = from + 2;
  while (end < lines.length && !otherBlock.test(lines[end] ?? "")) end += 1;
  return end;
}

function cellsOf(line: string): string[] {
  const inner = line
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "");
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
}

function alignOf(delimiter: string): Align {
  const [starts, ends] = [delimiter.startsWith(":"), delimiter.endsWith(":")];
  if (starts && ends) return "center";
  if (ends) return "right";
  return starts ? "left" : null;
}

export function cellWords(cell: string): string {
  if (!/[*_`~[\]\\<&]/.test(cell)) return cell;
  return cell
    .replace(/\\([!-/:-@[-`{-~])/g, (_, sign: string) => hidden(sign))
    .replace(/<br\s*\/?>/gi, "\n")
    .replace(/<\/?(?:sub|sup|kbd)>/gi, "")
    .replace(/!?\[([^\]]*)\]\([^)\s]*\)/g, "$1")
    .replace(/(`+)(.+?)\1/g, "$2")
    .replace(/(\*\*\*|\*\*|\*|~~)(?=\S)(.+?)(?<=\S)\1/g, "$2")
    .replace(/(?<![\p{L}\p{N}])(__|_)(?=\S)(.+?)(?<=\S)\1(?![\p{L}\p{N}])/gu, "$2")
    .replace(/[\ue021-\ue07e]/g, shown);
}

/** An escaped character is no mark; it is kept in the private use area meanwhile. */
const hidden = (sign: string) => String.fromCharCode(0xe000 + sign.charCodeAt(0));
const shown = (sign: string) => String.fromCharCode(sign.charCodeAt(0) - 0xe000);
