import type { LineCountWire } from "@/lib/chat/wire/messages";

/** What a write did: `wrote 2 lines to`, `took 1 line out of`, or plain `wrote to` when nobody counted. */
export function writeWords(lines: LineCountWire | undefined): string {
  if (!lines) return "wrote to";
  if (lines.added > 0) return `wrote ${linesOf(lines.added)} to`;
  return lines.removed > 0 ? `took ${linesOf(lines.removed)} out of` : "wrote to";
}

/** What a proposed write would do: `wants to write 2 lines to`. */
export function wishWords({ added }: LineCountWire): string {
  return added > 0 ? `wants to write ${linesOf(added)} to` : "wants to empty";
}

/** A block, or an entry of one, as a person calls it: `memory`, `knowledge · Tea guide`. */
export function targetName({ label, key }: { label: string; key?: string | null }): string {
  return key ? `${label} · ${key}` : label;
}

function linesOf(count: number): string {
  return count === 1 ? "1 line" : `${count.toLocaleString("en")} lines`;
}
