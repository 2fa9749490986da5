import type { Align } from "./table-text";

/** CSV as RFC 4180 has it. Values stay unchanged, even those that a spreadsheet takes for a formula. */
export function asCsv(lines: readonly (readonly string[])[]): string {
  return lines.map((cells) => `${cells.map(csvField).join(",")}\r\n`).join("");
}

function csvField(value: string): string {
  const isQuoted = /[",\r\n]|^\s|\s$/.test(value);
  return isQuoted ? `"${value.replaceAll('"', '""')}"` : value;
}

export interface MarkdownTable {
  readonly heads: readonly string[];
  readonly aligns: readonly Align[];
  readonly rows: readonly (readonly string[])[];
}

export function asMarkdown({ heads, aligns, rows }: MarkdownTable): string {
  const line = (cells: readonly string[]) => `| ${cells.map(markdownCell).join(" | ")} |\n`;
  const delimiters = heads.map((_, index) => delimiterOf(aligns[index] ?? null));
  return line(heads) + line(delimiters) + rows.map(line).join("");
}

function markdownCell(cell: string): string {
  return cell.replaceAll("|", "\\|").replace(/\r?\n/g, "<br>");
}

function delimiterOf(align: Align): string {
  if (align === "center") return ":---:";
  if (align === "right") return "---:";
  return align === "left" ? ":---" : "---";
}
