import { z } from "zod";
import type { EntryWire, MemoryWriteWire } from "./messages";
import { idSchema, modelSchema } from "./request-fields";

export interface TreeNodeWire {
  id: string;
  parentId: string | null;
  role: "system" | "user" | "assistant";
  preview: string;
  pinned: boolean;
  label: string | null;
  createdAt: string;
}

/** `GET /api/sessions/:id/tree` */
export interface TreeWire {
  nodes: TreeNodeWire[];
  activeLeafId: string | null;
  compactions: { id: string; fromMessageId: string; toMessageId: string }[];
}

/** What one answer wrote into one memory document; the lines are `null` when that version's text is not at hand. */
export interface MemoryChangeWire extends MemoryWriteWire {
  messageId: string;
  added: string[] | null;
  removed: string[] | null;
}

/** One of two branches that are compared: everything after the last message they share. */
export interface BranchWire {
  leafId: string;
  /** Oldest first, stored messages without summaries; the first 200 unless more are asked for. The sums below are over all of them. */
  entries: EntryWire[];
  messageCount: number;
  inputTokens: number;
  outputTokens: number;
  /** Dollars; `null` when no price is known. */
  cost: number | null;
  models: string[];
  memory: MemoryChangeWire[];
}

/** `GET /api/sessions/:id/compare?left=&right=&limit=` */
export interface CompareWire {
  /** The last message both paths share; `null` when they share none. */
  ancestor: EntryWire | null;
  left: BranchWire;
  right: BranchWire;
}

/** `GET /api/sessions/:id/notes/source?from=&to=`: what the path to `from` holds and the one to `to` does not. */
export interface NoteSourceWire {
  messages: {
    id: string;
    role: "system" | "user" | "assistant";
    preview: string;
    tokens: number;
  }[];
}

/** `POST /api/sessions/:id/notes/draft` */
export interface NoteDraftWire {
  text: string;
  model: string;
  messageCount: number;
}

/** `POST /api/sessions/:id/notes/draft` → `NoteDraftWire`: the session's model summarizes what is left; nothing is stored. */
export const draftNoteRequest = z.object({ from: idSchema, to: idSchema.nullable() });

const notePlace = {
  id: idSchema,
  /** The message the note goes under; `null` makes it a beginning. */
  parentId: idSchema.nullable(),
  /** The message at which the branch ends that is left. */
  from: idSchema,
  /** Who wrote the summary. */
  model: modelSchema.optional(),
};

/** `POST /api/sessions/:id/notes` → 201 `EntryWire`: a message that brings something along from another branch. */
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
