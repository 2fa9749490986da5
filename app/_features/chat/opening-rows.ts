import { linesOf, SLICED_WEIGHT, weightOf } from "@/app/_ui/markdown/text-weight";
import { messageText } from "./message-text";
import type { TranscriptRow } from "./transcript-rows";

/** Enough for most windows; on taller ones, missing rows appear above and move nothing. */
const ENOUGH_PX = 2_400;
const LINE_PX = 26;
const FRAME_PX = 70;
/** Longer questions collapse, and long code scrolls. */
const MOST_LINES = 24;

/** A heavy text ends the rows, so the result may be empty. */
export function openingRows(rows: readonly TranscriptRow[]): readonly TranscriptRow[] {
  let height = 0;
  let weight = 0;
  let first = rows.length;
  while (first > 0 && height < ENOUGH_PX) {
    const text = textOf(rows[first - 1]);
    weight += weightOf(text);
    if (weight > SLICED_WEIGHT) break;
    height += FRAME_PX + LINE_PX * Math.min(MOST_LINES, linesOf(text));
    first -= 1;
  }
  return rows.slice(first);
}

function textOf(row: TranscriptRow | undefined): string {
  return row?.kind === "message" || row?.kind === "compaction"
    ? messageText(row.entry.message)
    : "";
}
