import { countOf } from "@/app/_ui/format-amount";
import type { TreeRow } from "./tree-rows";

/** Texts of a row and its weight: questions stand out, answers less, tool calls least. */
export interface RowWords {
  readonly text: string;
  readonly label: string | null;
  readonly look: "mine" | "answer" | "quiet" | "compaction";
  /** For screen readers. */
  readonly name: string;
}

/** Describes a row; `snippet` is a search result in it. */
export function rowWords(row: TreeRow, snippet: string | null = null): RowWords {
  const { text: opening, look, speaker } = wordsOf(row);
  const text = snippet ?? opening;
  const label = row.item.kind === "message" ? row.item.node.label : null;
  // In visual order, for people who both see and hear it.
  const said = label === null ? text : `${label} ${text}`;
  const who = label === null ? speaker : `${speaker}, labelled`;
  const spoken = speaker === null ? text : `${who}: ${said}`;
  const notes = [
    row.item.kind === "message" && row.item.node.pinned ? "pinned" : null,
    row.isContext ? "branches split here" : null,
    row.isActiveLeaf ? "you are here" : null,
    row.folded ? `${countOf(row.hiddenCount, "row")} collapsed` : null,
  ].filter((note) => note !== null);
  return { text, label, look, name: [spoken, ...notes].join(", ") };
}

function wordsOf({ item }: TreeRow): Pick<RowWords, "text" | "look"> & { speaker: string | null } {
  if (item.kind === "compaction") {
    const text = `Summary of ${countOf(item.messageCount, "message")}`;
    return { text, look: "compaction", speaker: null };
  }
  const preview = item.node.preview.trim();
  switch (item.node.role) {
    case "user":
      return { text: preview || "No text", look: "mine", speaker: "You" };
    case "assistant":
      return preview
        ? { text: preview, look: "answer", speaker: "Answer" }
        : { text: "Tools only", look: "quiet", speaker: "Answer" };
    case "system":
      return { text: preview || "No text", look: "quiet", speaker: "System" };
  }
}
