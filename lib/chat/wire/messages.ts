import type { UIMessage, UIMessageChunk } from "ai";
import { z } from "zod";
import type { Feature } from "@/lib/llm/features";
import type { CompactionWire, SummaryRunWire } from "./compaction";
import {
  type AnswerStatus,
  idSchema,
  type ModelChoice,
  modelParameters,
  modelSchema,
  type ParameterName,
} from "./request-fields";

export type { AnswerStatus } from "./request-fields";

interface ModelErrorWire {
  /** `bad-key`, `rate-limited`, `overloaded`, `timeout`, `context-overflow`, `network`, `cut`, `empty`, `refused`, `bad-request`, `unread`, `unstored`, `unknown`. */
  code: string;
  /** A sentence for the person with a next step. */
  message: string;
  retryable: boolean;
  /** Parameters of the chat that the provider refused, and its words. */
  refused?: { parameters: ParameterName[]; words: string };
  /** Retry delay requested by the provider, in milliseconds since the answer was stored. */
  retryAfterMs?: number;
  /** The provider's own words, where the message does not quote them. */
  details?: string;
}

export interface MemoryWriteWire {
  /** Absent in exports of the previous version, where it was the label. */
  blockId?: string;
  /** The name at that time. */
  label: string;
  key?: string;
  /** The version it created; restoring `version - 1` undoes it. */
  version: number;
  lines?: LineCountWire;
}

export interface LineCountWire {
  added: number;
  removed: number;
}

export interface ProposedWriteWire {
  id: string;
  /** The call that made it; absent for what earlier versions stored. */
  toolCallId?: string;
  blockId?: string;
  label: string;
  key?: string;
  lines: LineCountWire;
}

/** The first part of its message introduces it to the model, the second is the content. */
export interface NoteWire {
  kind: "summary" | "messages";
  /** Last message of the branch that was left. */
  from: string;
  /** Author of the summary; absent for the person. */
  model?: string;
}

export interface GroveMetadata {
  status?: AnswerStatus;
  runId?: string;
  model?: string;
  /** Absent for a model asked for by name. */
  choice?: ModelChoice;
  /** Milliseconds of each reasoning part, in order. */
  thoughtMs?: number[];
  inputTokens?: number;
  outputTokens?: number;
  /** Dollars; absent when the price is unknown. */
  cost?: number;
  error?: ModelErrorWire;
  /** Input tokens of the first call for this answer, estimated and reported. */
  input?: { estimated: number; reported: number };
  writes?: MemoryWriteWire[];
  proposals?: ProposedWriteWire[];
  /** ISO 8601, of an answer that waits for the person. */
  pausedAt?: string;
  /** Inputs of the model that the person changed before allowing the call. */
  changedCalls?: { toolCallId: string; input: unknown }[];
  note?: NoteWire;
  /** Role of a program's instruction, which is part of the prompt of the answers below it. */
  instruction?: "developer" | "system";
  compaction?: { id: string; fromMessageId: string; toMessageId: string };
  /** Of a question that several models were asked at once: their answers. */
  together?: AskedAnswer[];
  /** The one of these that was kept; the others are versions. */
  kept?: string;
  /** Of its input, which the model did not get. */
  leftOut?: LeftOutWire;
  /** Of an answer in the person's words: the one they edited. */
  editedFrom?: string;
  /** Of an answer that goes on with another one, which was cut off: that one. */
  continuedFrom?: string;
}

export interface LeftOutWire {
  /** Refused by the server, which was asked again without. */
  refused?: Feature[];
  /** The newest of `fileCount`. */
  files?: { name: string; reason: string }[];
  fileCount?: number;
}

export interface AskedAnswer {
  answerId: string;
  model: string;
}

export type GroveMessage = UIMessage<GroveMetadata>;

export interface SiblingsWire {
  /** From 0. */
  index: number;
  count: number;
  previousId: string | null;
  nextId: string | null;
}

/** A tool output too large to send whole by default. */
export interface LargeOutputWire {
  messageId: string;
  toolCallId: string;
  toolName: string;
  shownChars: number;
  totalChars: number;
  isSentInFull: boolean;
}

/** With `compaction` a summary, and `message` is synthetic. */
export interface EntryWire {
  message: GroveMessage;
  createdAt: string;
  parentId: string | null;
  siblings: SiblingsWire;
  pinned: boolean;
  label: string | null;
  position: number;
  /** Absent when there is none. */
  largeOutputs?: LargeOutputWire[];
  /** Its calls in the state `approval-requested` wait for the person. */
  isWaiting?: true;
  compaction?: CompactionWire;
}

/** Stored as `messageId` under `parentId`. */
export interface RunWire {
  id: string;
  sessionId: string;
  messageId: string;
  parentId: string;
  model: string;
  status: "running" | AnswerStatus;
  /** Number of pauses before it; after one, its chunks continue the stored message. */
  part: number;
  startedAt: string;
}

/** `GET /api/sessions/:id/transcript?leaf=&under=&limit=&before=&after=&overlays=0` */
export interface TranscriptWire {
  entries: EntryWire[];
  leafId: string | null;
  hasMore: boolean;
  runs: RunWire[];
  /** Includes the newest one if it failed. */
  summaries: SummaryRunWire[];
}

/** `GET /api/sessions/:id/streams?runs=<JSON>` → server-sent `TogetherChunk`s. */
export const followedRuns = z
  .array(z.object({ id: idSchema, part: z.int().min(0), after: z.int().min(0) }))
  .min(1)
  .max(16);
export type FollowedRun = z.output<typeof followedRuns>[number];

export interface TogetherChunk {
  run: string;
  /** `null` at its end. */
  chunk: UIMessageChunk | null;
}

const partSchema = z.looseObject({ type: z.string().min(1).max(100) });

/**
 * `POST /api/sessions/:id/messages` → 201 `SendResponse`. The client chooses `id` and `answerId`, so a retry is
 * harmless. `parentId: null` makes a new root. If the session has moved on from `expectedLeaf`, the message becomes a
 * sibling under it.
 */
export const sendRequest = z.object({
  id: idSchema,
  parts: z.array(partSchema).min(1).max(100),
  parentId: idSchema.nullable().optional(),
  expectedLeaf: idSchema.nullable().optional(),
  model: modelSchema.optional(),
  generate: z.boolean().default(true),
  answerId: idSchema.optional(),
  newSession: z
    .object({ title: z.string().max(200).optional(), parameters: modelParameters.optional() })
    .optional(),
  /** Several models answer at once, instead of `model` and `answerId`. */
  together: z
    .array(z.object({ answerId: idSchema, model: modelSchema }))
    .min(2)
    .max(4)
    .refine((asked) => new Set(asked.map(({ answerId }) => answerId)).size === asked.length, {
      error: "needs a different answerId for each",
    })
    .optional(),
});
export type SendRequest = z.input<typeof sendRequest>;

export interface SendResponse {
  entry: EntryWire;
  run: RunWire | null;
  /** Of `together`, after the first; one that could not start is missing. */
  others?: RunWire[];
}

/** `POST /api/sessions/:id/runs` → 201 `{ run: RunWire }`. `answerId` makes a retry harmless. */
export const startRunRequest = z.object({
  answerId: idSchema,
  parentId: idSchema,
  model: modelSchema.optional(),
  /** One of the answers of several models, whose place the new one takes; it stays as a version. */
  replaces: idSchema.optional(),
  /** An answer to the same question that was cut off: the new one begins with what it holds, and goes on. */
  continues: idSchema.optional(),
});
export type StartRunRequest = z.input<typeof startRunRequest>;

/**
 * `POST /api/sessions/:id/messages/:messageId/approvals/:approvalId` → `EntryWire`. Of several decisions the first
 * counts; others get 409 `approval-decided`. A write to memory is a proposal, too, and may get 409 `block-conflict`.
 */
export const decideRequest = z.discriminatedUnion("decision", [
  z.object({
    decision: z.literal("approve"),
    /** Not asked again in this chat for this tool, or for writes to memory. */
    forChat: z.boolean().default(false),
    /** As the person changed it. */
    input: z.record(z.string(), z.unknown()).optional(),
    /** Of a write to memory: the whole text as the person changed it. */
    content: z.string().max(200_000).optional(),
    /** Of a write to memory: the version that the person has seen. */
    expectedVersion: z.int().min(0).optional(),
  }),
  z.object({ decision: z.literal("deny"), reason: z.string().trim().max(2_000).optional() }),
]);
export type DecideRequest = z.input<typeof decideRequest>;

/** `PATCH /api/sessions/:id/messages/:messageId` → `EntryWire`. A `null` or blank label removes it. */
export const changeMessageRequest = z.object({
  pinned: z.boolean().optional(),
  label: z.string().trim().max(80, "must be at most 80 characters").nullable().optional(),
  /** Of a question asked of several models: the answer the chat goes on with; `null` shows all again. */
  kept: idSchema.nullable().optional(),
  /** Sends a large tool output to the model in full. */
  sendInFull: z.object({ toolCallId: z.string().min(1).max(500), value: z.boolean() }).optional(),
});

/** `GET /api/sessions/:id/messages/:messageId/versions` → `{ versions: MessageVersionWire[] }`, oldest first. */
export interface MessageVersionWire {
  id: string;
  model: string | null;
  status: AnswerStatus | null;
  /** By the person. */
  isEdited: boolean;
  createdAt: string;
}

/**
 * `POST /api/sessions/:id/messages/:messageId/edited` → 201 `EntryWire`, a version beside the answer. `texts` are those of
 * its text parts in order. The client chooses `id`, so a retry is harmless.
 */
export const editAnswerRequest = z.object({
  id: idSchema,
  texts: z.array(z.string().max(1_000_000)).min(1).max(1_000),
});

/** `DELETE /api/sessions/:id/messages` → `{ deletionId, messageIds, changed }`. `deletionId` makes a retry harmless. */
export const deleteMessagesRequest = z.object({
  ids: z.array(idSchema).min(1).max(10_000),
  deletionId: idSchema.optional(),
  subtree: z.boolean().default(false),
  /** Place at which the chat goes on when its last message is deleted. Default: `sibling`. */
  continueAt: z.enum(["sibling", "parent"]).optional(),
});

/** `POST /api/sessions/:id/messages/restore` */
export const restoreMessagesRequest = z.object({ deletionId: idSchema });
