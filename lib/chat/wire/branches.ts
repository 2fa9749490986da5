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

/** `null` lines: that version's text is unavailable. */
export interface MemoryChangeWire extends MemoryWriteWire {
  messageId: string;
  added: string[] | null;
  removed: string[] | null;
}

/** Everything after the common ancestor. */
export interface BranchWire {
  leafId: string;
  /** Oldest first, without summaries; the first 200 by default. Sums cover all. */
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
  ancestor: EntryWire | null;
  left: BranchWire;
  right: BranchWire;
}

/** `GET /api/sessions/:id/notes/source?from=&to=`: the path to `from` without the path to `to`. */
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

/** `POST /api/sessions/:id/notes/draft` → `NoteDraftWire`, without storing it. */
export const draftNoteRequest = z.object({ from: idSchema, to: idSchema.nullable() });

const notePlace = {
  id: idSchema,
  /** `null` makes a root. */
  parentId: idSchema.nullable(),
  from: idSchema,
  model: modelSchema.optional(),
};

/** `POST /api/sessions/:id/notes` → 201 `EntryWire` */
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
