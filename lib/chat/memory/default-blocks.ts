import type { BlockKind, BlockWriters } from "@/lib/chat/wire/memory";

export interface BlockDefinition {
  readonly label: string;
  readonly description: string;
  readonly kind: BlockKind;
  readonly scope: "owner" | "session";
  readonly writers: BlockWriters;
  readonly maxTokens: number | null;
  /** Created by a person, so it can be renamed and deleted. */
  readonly isOwn: boolean;
  /** Id of a custom block, stable across renames. */
  readonly blockId?: number;
}

export const defaultInstructions = `You are a helpful assistant in Grove, a chat in which every conversation is a tree and every memory is a document the person owns.

Answer clearly and to the point, in the language you are spoken to in. When you are unsure, say so.
Keep facts worth remembering about the person in the block "memory", and open tasks of this conversation in "todos".
Search "knowledge" before answering from it, load a skill when one fits the task, and search past conversations when the person refers to them.`;

/** Blocks everyone has, in prompt order. */
export const defaultBlocks: readonly BlockDefinition[] = [
  {
    label: "soul",
    description: "Instructions",
    kind: "readonly",
    scope: "owner",
    writers: "person",
    maxTokens: null,
    isOwn: false,
  },
  {
    label: "memory",
    description: "Personal facts, used in every chat",
    kind: "writable",
    scope: "owner",
    writers: "both",
    maxTokens: 1_100,
    isOwn: false,
  },
  {
    label: "todos",
    description: "Open and finished tasks of this chat",
    kind: "writable",
    scope: "session",
    writers: "both",
    maxTokens: 2_000,
    isOwn: false,
  },
  {
    label: "knowledge",
    description: "Collected texts to search before answering from memory",
    kind: "searchable",
    scope: "owner",
    writers: "both",
    maxTokens: null,
    isOwn: false,
  },
  {
    label: "skills",
    description:
      "Instructions to load when a task calls for them. A file named in a skill loads as <key>/<file>",
    kind: "loadable",
    scope: "owner",
    writers: "both",
    maxTokens: null,
    isOwn: false,
  },
];
