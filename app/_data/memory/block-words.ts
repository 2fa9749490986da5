import { countOf } from "@/app/_ui/format-amount";
import { isolated } from "@/app/_ui/isolated";
import { pageSpace } from "@/app/_ui/page-space";
import type { BlockWire, VersionWire } from "@/lib/chat/wire/memory";
import type { LineCountWire } from "@/lib/chat/wire/messages";

const ownTitles: Readonly<Record<string, string>> = {
  soul: "Instructions",
  memory: "About you",
  todos: "Tasks",
};

export const titlesInUse = new Set(Object.values(ownTitles).map((title) => title.toLowerCase()));

export function blockTitle(label: string): string {
  const own = ownTitles[label];
  if (own !== undefined) return own;
  const words = label.replace(/[-_]+/g, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function personalTitle(label: string): string {
  return `${blockTitle(label.replace(/^personal-/, ""))} · yours`;
}

const ownNotes: Readonly<Record<string, string>> = {
  soul: "How the model answers, in every chat.",
  memory: "Facts that models know in every chat.",
  todos: "Open and finished tasks of this chat.",
  knowledge: "Texts the model can search and quote.",
  skills: "Instructions for specific tasks, loaded when needed.",
};

export function blockNote({
  label,
  note,
  isOwn,
}: Pick<BlockWire, "label" | "note" | "isOwn">): string {
  return note || (isOwn ? "" : (ownNotes[label] ?? ""));
}

export const everyChat = pageSpace === null ? "All chats" : "Chats of this project";

/** Spaces around the dot do not break, so that it never ends a line. */
export function blockTerms(block: Pick<BlockWire, "writers" | "scope">): string {
  return `${writersOf(block.writers)}\u00a0·\u00a0${block.scope === "owner" ? everyChat : "This chat"}`;
}

function writersOf(writers: BlockWire["writers"]): string {
  switch (writers) {
    case "person":
      return "Editable by you";
    case "both":
      return "Editable by you and the model";
    case "nobody":
      return "Read only";
  }
}

export function blockAtVersion({ label, version }: { label: string; version: number }): string {
  const title = blockTitle(label);
  if (version > 0) return `${title}, version ${version}`;
  return label === "soul" ? `${title}, default` : `${title}, empty`;
}

export function authorName({
  author,
  program,
  proposed,
}: Pick<VersionWire, "author" | "program" | "proposed">): string {
  switch (author) {
    case "person":
      if (!proposed) return "You";
      return program === null ? "You, from a suggestion" : `You, from ${program}'s suggestion`;
    case "program":
      return proposed ? `${program}, accepted by you` : (program ?? "A program");
    case "model":
      return proposed ? "The model, accepted by you" : "The model";
    case "system":
      return "Grove";
  }
}

export function writeWords(lines: LineCountWire | undefined): string {
  if (!lines) return "Wrote to";
  if (lines.added > 0) return `Wrote ${countOf(lines.added, "line")} to`;
  return lines.removed > 0 ? `Took ${countOf(lines.removed, "line")} out of` : "Wrote to";
}

export function wishWords({ added }: LineCountWire): string {
  return added > 0 ? `Wants to write ${countOf(added, "line")} to` : "Wants to empty";
}

export function targetName({ label, key }: { label: string; key?: string | null }): string {
  const title = label === "memory" ? "Memory" : blockTitle(label);
  return key ? `${title} · ${isolated(key)}` : title;
}
