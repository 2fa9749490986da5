import { countOf } from "@/app/_ui/format-amount";
import { isolated } from "@/app/_ui/isolated";
import type { LineCountWire } from "@/lib/chat/wire/messages";
import { blockTitle } from "./block-words";

/** `Wrote 2 lines to`, `Took 1 line out of`, or plain `Wrote to` without counts. */
export function writeWords(lines: LineCountWire | undefined): string {
  if (!lines) return "Wrote to";
  if (lines.added > 0) return `Wrote ${countOf(lines.added, "line")} to`;
  return lines.removed > 0 ? `Took ${countOf(lines.removed, "line")} out of` : "Wrote to";
}

export function wishWords({ added }: LineCountWire): string {
  return added > 0 ? `Wants to write ${countOf(added, "line")} to` : "Wants to empty";
}

/** `Memory`, `Knowledge · tea-guide` */
export function targetName({ label, key }: { label: string; key?: string | null }): string {
  return key ? `${blockTitle(label)} · ${isolated(key)}` : blockTitle(label);
}
