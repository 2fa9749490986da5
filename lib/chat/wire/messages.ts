import type { UIMessage } from "ai";
import { z } from "zod";
import type { CompactionWire, SummaryRunWire } from "./compaction";
import { type AnswerStatus, idSchema, modelSchema } from "./request-fields";

export type { AnswerStatus } from "./request-fields";

export interface ModelErrorWire {
  /** `bad-key`, `rate-limited`, `overloaded`, `timeout`, `context-overflow`, `network`, `cut`, `refused`, `bad-request`, `unknown`. */
  code: string;
  /** A sentence for the person, saying what to do. */
  message: string;
  retryable: boolean;
  /** How long the provider asked to be left alone, in milliseconds from when the answer was stored. */
  retryAfterMs?: number;
}

export interface MemoryWriteWire {
  /** Absent in what the previous version exported: there it was the label. */
  blockId?: string;
  /** The name the block had then. */
  label: string;
  /** Set for entries of a keyed block (knowledge, skills). */
  key?: string;
  /** The version this write made; restoring `version - 1` undoes it. */
  version: number;
  /** Lines it added and took away. */
  lines?: LineCountWire;
}

export interface LineCountWire {
  added: number;
  removed: number;
}

/** A write that an answer asked for in a session that asks the person first. */
export interface ProposedWriteWire {
  id: string;
  blockId?: string;
  label: string;
  key?: string;
  lines: LineCountWire;
}

/** Where what a note holds comes from. Its message's first part introduces it to the model, the second is what it holds. */
export interface NoteWire {
  kind: "summary" | "messages";
  /** The message at which the branch ended that was left. */
  from: string;
  /** Who wrote the summary; absent when the person did. */
  model?: string;
}

export interface GroveMetadata {
  status?: AnswerStatus;
  runId?: string;
  model?: string;
  inputTokens?: number;
  outputTokens?: number;
  /** Dollars; absent when the price is unknown. */
  cost?: number;
  error?: ModelErrorWire;
  /** Tokens of what the model was first given for this answer: as estimated, and as it counted them. */
  input?: { estimated: number; reported: number };
  /** What this answer wrote into memory. */
  writes?: MemoryWriteWire[];
  /** What this answer wants to write, if the person agrees. */
  proposals?: ProposedWriteWire[];
  /** Set on a message that brings something along from another branch. */
  note?: NoteWire;
  /** Set on the synthetic message that shows a summary. */
  compaction?: { id: string; fromMessageId: string; toMessageId: string };
}

export type GroveMessage = UIMessage<GroveMetadata>;

export interface SiblingsWire {
  /** From 0. */
  index: number;
  count: number;
  previousId: string | null;
  nextId: string | null;
}

/** A tool output that is too large to be given to the model whole, unless the person wants it to be. */
export interface LargeOutputWire {
  messageId: string;
  toolCallId: string;
  toolName: string;
  shownChars: number;
  totalChars: number;
  isSentInFull: boolean;
}

/** One line of the transcript; with `compaction` it is a summary and `message` is the synthetic summary message. */
export interface EntryWire {
  message: GroveMessage;
  createdAt: string;
  parentId: string | null;
  siblings: SiblingsWire;
  pinned: boolean;
  /** A name the person gave it. */
  label: string | null;
  position: number;
  /** Absent when there is none. */
  largeOutputs?: LargeOutputWire[];
  compaction?: CompactionWire;
}

/** An answer that is being written. Its message id is `messageId`; it hangs under `parentId` once it is stored. */
export interface RunWire {
  id: string;
  sessionId: string;
  messageId: string;
  parentId: string;
  model: string;
  status: "running" | AnswerStatus;
  startedAt: string;
}

/** `GET /api/sessions/:id/transcript?leaf=&under=&limit=&before=&after=&overlays=0` */
export interface TranscriptWire {
  entries: EntryWire[];
  leafId: string | null;
  hasMore: boolean;
  /** Runs whose answer is still being written anywhere in this session. */
  runs: RunWire[];
  /** Summaries being written anywhere in this session, and the newest one when it came to nothing. */
  summaries: SummaryRunWire[];
}

const partSchema = z.looseObject({ type: z.string().min(1).max(100) });

/**
 * `POST /api/sessions/:id/messages` → 201 `SendResponse`. The client makes `id` and `answerId`, so a retry is harmless.
 *
 * Without `parentId` the message continues the active leaf; `null` makes a new root (an edited first question).
 * `expectedLeaf` is the leaf the sender saw: when the session has moved on, the message becomes a visible sibling under
 * that leaf instead of landing after something its author never read.
 */
export const sendRequest = z.object({
  id: idSchema,
  parts: z.array(partSchema).min(1).max(100),
  parentId: idSchema.nullable().optional(),
  expectedLeaf: idSchema.nullable().optional(),
  model: modelSchema.optional(),
  /** `false` stores the message without asking for an answer. */
  generate: z.boolean().default(true),
  answerId: idSchema.optional(),
  /** Creates the session when it does not exist yet. */
  newSession: z.object({ title: z.string().max(200).optional() }).optional(),
});
export type SendRequest = z.input<typeof sendRequest>;

export interface SendResponse {
  entry: EntryWire;
  run: RunWire | null;
}

/** `POST /api/sessions/:id/runs` → 201 `{ run: RunWire }`: answer `parentId` (again). `answerId` makes a retry harmless. */
export const startRunRequest = z.object({
  answerId: idSchema,
  parentId: idSchema,
  model: modelSchema.optional(),
});
export type StartRunRequest = z.input<typeof startRunRequest>;

/** `PATCH /api/sessions/:id/messages/:messageId` → `EntryWire`. A label of `null` or without text takes it away. */
export const changeMessageRequest = z.object({
  pinned: z.boolean().optional(),
  label: z.string().trim().max(80, "must be at most 80 characters").nullable().optional(),
  /** Whether the model gets all of a large tool output. */
  sendInFull: z.object({ toolCallId: z.string().min(1).max(500), value: z.boolean() }).optional(),
});

/** `DELETE /api/sessions/:id/messages` → `{ deletionId, messageIds }`; `subtree` also takes everything under them. */
export const deleteMessagesRequest = z.object({
  ids: z.array(idSchema).min(1).max(10_000),
  subtree: z.boolean().default(false),
});

/** `POST /api/sessions/:id/messages/restore` */
export const restoreMessagesRequest = z.object({ deletionId: idSchema });
