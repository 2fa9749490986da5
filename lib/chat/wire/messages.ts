import type { UIMessage, UIMessageChunk } from "ai";
import type { Siblings } from "grove-session/ports";
import { z } from "zod";
import type { Feature } from "@/lib/llm/features";
import { type AssistantRef, assistantRef } from "./assistants";
import type { CompactionWire, SummaryRunWire } from "./compaction";
import {
  type AnswerStatus,
  chatParameters,
  idSchema,
  type ModelChoice,
  modelSchema,
  type ParameterName,
} from "./request-fields";
import type { Wire } from "./wire";

export type { AnswerStatus } from "./request-fields";

interface ModelErrorWire {
  code: string;
  message: string;
  retryable: boolean;
  refused?: { parameters: ParameterName[]; words: string };
  /** Requested by the provider, from when the answer was stored. */
  retryAfterMs?: number;
  details?: string;
}

export interface MemoryWriteWire {
  /** Absent in exports of the previous version, where it was the label. */
  blockId?: string;
  label: string;
  key?: string;
  /** The place it was written in, if not where the chat is now. */
  space?: string;
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
  toolCallId?: string;
  blockId?: string;
  label: string;
  key?: string;
  space?: string;
  lines: LineCountWire;
}

/** The first part of its message introduces it to the model, the second is the content. */
export interface NoteWire {
  kind: "summary" | "messages";
  from: string;
  model?: string;
}

export interface GroveMetadata {
  status?: AnswerStatus;
  runId?: string;
  model?: string;
  choice?: ModelChoice;
  thoughtMs?: number[];
  inputTokens?: number;
  outputTokens?: number;
  /** Dollars; absent when the price is unknown. */
  cost?: number;
  error?: ModelErrorWire;
  input?: { estimated: number; reported: number };
  writes?: MemoryWriteWire[];
  proposals?: ProposedWriteWire[];
  /** ISO 8601, for an answer that waits for the person. */
  pausedAt?: string;
  changedCalls?: { toolCallId: string; input: unknown }[];
  note?: NoteWire;
  instruction?: "developer" | "system";
  compaction?: { id: string; fromMessageId: string; toMessageId: string };
  together?: AskedAnswer[];
  /** The others are versions of this one. */
  kept?: string;
  leftOut?: LeftOutWire;
  /** A question names the one asked with `@` for its answers alone. `space`: it is of another place. */
  assistant?: AssistantRef & { space?: string };
  editedFrom?: string;
  continuedFrom?: string;
}

export interface LeftOutWire {
  refused?: Feature[];
  files?: { name: string; reason: string }[];
  fileCount?: number;
  hostedTools?: string[];
  missing?: string[];
}

export interface AskedAnswer {
  answerId: string;
  model: string;
}

export type GroveMessage = UIMessage<GroveMetadata>;

export type SiblingsWire = Wire<Siblings>;

export interface LargeOutputWire {
  messageId: string;
  toolCallId: string;
  toolName: string;
  shownChars: number;
  totalChars: number;
  isSentInFull: boolean;
}

/** With `compaction`, the entry is a summary and `message` is synthetic. */
export interface EntryWire {
  message: GroveMessage;
  createdAt: string;
  parentId: string | null;
  siblings: SiblingsWire;
  pinned: boolean;
  label: string | null;
  position: number;
  largeOutputs?: LargeOutputWire[];
  isWaiting?: true;
  compaction?: CompactionWire;
}

export interface RunWire {
  id: string;
  sessionId: string;
  messageId: string;
  parentId: string;
  model: string;
  status: "running" | AnswerStatus;
  /** Pauses before it; after one, its chunks continue the stored message. */
  part: number;
  startedAt: string;
}

export interface TranscriptWire {
  entries: EntryWire[];
  leafId: string | null;
  hasMore: boolean;
  runs: RunWire[];
  summaries: SummaryRunWire[];
}

export const followedRuns = z
  .array(z.object({ id: idSchema, part: z.int().min(0), after: z.int().min(0) }))
  .min(1)
  .max(16);
export type FollowedRun = z.output<typeof followedRuns>[number];

export interface TogetherChunk {
  run: string;
  chunk: UIMessageChunk | null;
}

const partSchema = z.looseObject({ type: z.string().min(1).max(100) });

/**
 * The client chooses `id` and `answerId`, so a retry is harmless. `parentId: null` makes a root. Behind `expectedLeaf`,
 * the message becomes a sibling.
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
    .object({
      title: z.string().max(200).optional(),
      parameters: chatParameters.optional(),
      /** `null` for none. Default: that of the project. */
      assistant: assistantRef.nullable().optional(),
    })
    .optional(),
  assistant: assistantRef.optional(),
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
  /** Runs of `together` after the first; one that could not start is missing. */
  others?: RunWire[];
}

export type StoredEvent = { readonly type: "stored" } & SendResponse;

export const startRunRequest = z.object({
  answerId: idSchema,
  parentId: idSchema,
  model: modelSchema.optional(),
  /** The new answer takes the place of one of several, which stays as a version. */
  replaces: idSchema.optional(),
  continues: idSchema.optional(),
});
export type StartRunRequest = z.input<typeof startRunRequest>;

export const decideRequest = z.discriminatedUnion("decision", [
  z.object({
    decision: z.literal("approve"),
    forChat: z.boolean().default(false),
    input: z.record(z.string(), z.unknown()).optional(),
    content: z.string().max(200_000).optional(),
    expectedVersion: z.int().min(0).optional(),
  }),
  z.object({ decision: z.literal("deny"), reason: z.string().trim().max(2_000).optional() }),
]);
export type DecideRequest = z.input<typeof decideRequest>;

export const changeMessageRequest = z.object({
  pinned: z.boolean().optional(),
  label: z.string().trim().max(80, "must be at most 80 characters").nullable().optional(),
  /** `null` shows all answers again. */
  kept: idSchema.nullable().optional(),
  sendInFull: z.object({ toolCallId: z.string().min(1).max(500), value: z.boolean() }).optional(),
});

/** Oldest first. */
export interface MessageVersionWire {
  id: string;
  model: string | null;
  status: AnswerStatus | null;
  isEdited: boolean;
  createdAt: string;
}

/** `texts` are those of the answer's text parts in order. */
export const editAnswerRequest = z.object({
  id: idSchema,
  texts: z.array(z.string().max(1_000_000)).min(1).max(1_000),
});

export const deleteMessagesRequest = z.object({
  ids: z.array(idSchema).min(1).max(10_000),
  deletionId: idSchema.optional(),
  subtree: z.boolean().default(false),
  /** The place to continue when the last message is deleted. Default: `sibling`. */
  continueAt: z.enum(["sibling", "parent"]).optional(),
});

export const restoreMessagesRequest = z.object({ deletionId: idSchema });
