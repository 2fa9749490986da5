import { countOf } from "@/app/_ui/format-amount";
import type { TreeRow } from "./tree-rows";

/** What a row shows, and how strongly: questions stand out, answers less, calls of tools least. */
export interface RowWords {
  readonly text: string;
  /** The name a person gave the message. */
  readonly label: string | null;
  readonly look: "mine" | "answer" | "quiet" | "compaction";
  /** The whole row in words, for screen readers. */
  readonly name: string;
}

/** Puts a row of the tree panel into words; `snippet` is what a search found in it. */
export function rowWords(row: TreeRow, snippet: string | null = null): RowWords {
  const { text: opening, look, speaker } = wordsOf(row);
  const text = snippet ?? opening;
  const label = row.item.kind === "message" ? row.item.node.label : null;
  // In the order in which it is seen, so that who says what they see is understood.
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
