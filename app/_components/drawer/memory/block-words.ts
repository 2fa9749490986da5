import type { BlockWire, VersionWire } from "@/lib/chat/wire";

/** `todos` → `Todos`, `house-rules` → `House rules`. */
export function blockTitle(label: string): string {
  const words = label.replace(/[-_]+/g, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Who may write a block and where it counts: `You and the model write · everywhere`. */
export function blockTerms(block: Pick<BlockWire, "writers" | "scope">): string {
  return `${writersOf(block.writers)} · ${block.scope === "owner" ? "everywhere" : "this session"}`;
}

function writersOf(writers: BlockWire["writers"]): string {
  switch (writers) {
    case "person":
      return "Only you write";
    case "both":
      return "You and the model write";
    case "nobody":
      return "Read only";
  }
}

/** Who wrote a version. */
export function authorName(author: VersionWire["author"]): string {
  switch (author) {
    case "person":
      return "You";
    case "model":
      return "The model";
    case "system":
      return "Grove";
  }
}
