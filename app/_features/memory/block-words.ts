import type { BlockWire, VersionWire } from "@/lib/chat/wire/memory";

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

/** A block at a version, as in `Memory, version 2`. */
export function blockAtVersion({ label, version }: { label: string; version: number }): string {
  const title = blockTitle(label);
  if (version > 0) return `${title}, version ${version}`;
  return label === "soul" ? `${title}, as Grove brings it` : `${title}, nothing written yet`;
}

/** Who wrote a version, and who agreed to it. */
export function authorName({ author, proposed }: Pick<VersionWire, "author" | "proposed">): string {
  switch (author) {
    case "person":
      return proposed ? "You, from a proposal" : "You";
    case "model":
      return proposed ? "The model, you accepted" : "The model";
    case "system":
      return "Grove";
  }
}
