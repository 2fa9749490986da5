import type { Compaction } from "grove-session";
import type { TreeNode } from "grove-session/ports";
import { z } from "zod";
import type { EntryWire, MemoryWriteWire } from "./messages";
import { idSchema, modelSchema } from "./request-fields";
import type { Wire } from "./wire";

export type TreeNodeWire = Wire<TreeNode>;

export interface TreeWire {
  nodes: TreeNodeWire[];
  activeLeafId: string | null;
  compactions: Pick<Compaction, "id" | "fromMessageId" | "toMessageId">[];
}

/** `null` lines: that version's text is unavailable. */
export interface MemoryChangeWire extends MemoryWriteWire {
  messageId: string;
  added: string[] | null;
  removed: string[] | null;
}

export interface BranchWire {
  leafId: string;
  /** Oldest first, without summaries; the first 200 by default. Sums cover all. */
  entries: EntryWire[];
  messageCount: number;
  inputTokens: number;
  outputTokens: number;
  cost: number | null;
  models: string[];
  memory: MemoryChangeWire[];
}

export interface CompareWire {
  ancestor: EntryWire | null;
  left: BranchWire;
  right: BranchWire;
}

export interface NoteSourceWire {
  messages: {
    id: string;
    role: "system" | "user" | "assistant";
    preview: string;
    tokens: number;
  }[];
}

export interface NoteDraftWire {
  text: string;
  model: string;
  messageCount: number;
}

export const draftNoteRequest = z.object({ from: idSchema, to: idSchema.nullable() });

/** `null` means the beginning. */
export type NotePlaces = z.output<typeof draftNoteRequest>;

const notePlace = {
  id: idSchema,
  parentId: idSchema.nullable(),
  from: idSchema,
  model: modelSchema.optional(),
};

export const storeNoteRequest = z.discriminatedUnion("kind", [
  z.object({
    ...notePlace,
    kind: z.literal("summary"),
    text: z.string().trim().min(1, "must not be empty").max(200_000),
  }),
  z.object({
    ...notePlace,
    kind: z.literal("messages"),
    messageIds: z.array(idSchema).min(1, "must not be empty").max(1_000),
  }),
]);
