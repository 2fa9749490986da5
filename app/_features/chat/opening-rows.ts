import { linesOf } from "@/app/_ui/markdown/lines-of";
import { SLICED_WEIGHT, weightOf } from "@/app/_ui/markdown/text-weight";
import { messageText } from "./message-text";
import type { TranscriptRow } from "./transcript-rows";

/** More than most windows are high; what is missing on a higher one appears above, where it moves nothing. */
const ENOUGH_PX = 2_400;
const LINE_PX = 26;
/** What a line of the list has around its text. */
const FRAME_PX = 70;
/** Long questions are folded, long code scrolls, and lines of Markdown flow together. */
const MOST_LINES = 24;

/**
 * The last lines of a conversation, as many as fill a window and take no time worth mentioning to format: a heavy text
 * ends them. Empty when the very last is one.
 */
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
  return row?.kind === "message" || row?.kind === "seam" ? messageText(row.entry.message) : "";
}
