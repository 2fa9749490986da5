import { z } from "zod";
import { storedKinds } from "../context-provider";
import type { SessionMessagePart } from "../message";

export const portableFormat = 1;

const id = z.string().min(1);
const moment = z.iso.datetime({ offset: true });
const count = z.int().min(0);
const metadata = z.record(z.string(), z.unknown());

const isPart = (part: unknown) =>
  typeof part === "object" && part !== null && "type" in part && typeof part.type === "string";

/** Kept unparsed: parsing would reorder its keys. */
export const partRecord = z.custom<SessionMessagePart>(isPart, "must have a type");

const header = z.object({
  type: z.literal("grove-export"),
  format: z.literal(portableFormat),
  exportedAt: moment,
});

const skillEvent = z.object({
  label: z.string(),
  key: z.string(),
  action: z.enum(["load", "unload"]),
});

/** The first version wrote label, key and action in turn. */
const flatSkillEvents = z
  .array(z.string())
  .transform((flat) =>
    Array.from({ length: Math.floor(flat.length / 3) }, (_, n) => ({
      label: flat[3 * n],
      key: flat[3 * n + 1],
      action: flat[3 * n + 2],
    })),
  )
  .pipe(z.array(skillEvent));

const session = z.object({
  type: z.literal("session"),
  id,
  title: z.string(),
  model: z.string().nullable(),
  source: z.string().nullable(),
  tags: z.array(z.string()),
  metadata,
  parentSessionId: id.nullable(),
  forkedAtMessageId: id.nullable(),
  inputTokens: z.number().min(0),
  outputTokens: z.number().min(0),
  cost: z.number().min(0),
  frozenPrompt: z.string().nullable(),
  /** By block id, in prompt order. The first version had none. */
  frozenVersions: z
    .array(z.tuple([z.string(), z.number()]))
    .nullable()
    .default(null),
  pinnedAt: moment.nullable(),
  archivedAt: moment.nullable(),
  createdAt: moment,
  updatedAt: moment,
  activeLeafId: id.nullable(),
  skillsBefore: z.union([z.array(skillEvent), flatSkillEvents]).default([]),
  /** Every childless message, the last used one last. */
  leafIds: z.array(id),
});

const message = z.object({
  type: z.literal("message"),
  id,
  parentId: id.nullable(),
  role: z.enum(["system", "user", "assistant"]),
  createdAt: moment,
  pinned: z.boolean(),
  label: z.string().nullable(),
  content: z.looseObject({ parts: z.array(partRecord), metadata: z.unknown().optional() }),
});

/** A deleted message at the end of a summary; its children belong to the nearest message above. */
const gap = z.object({ type: z.literal("gap"), id, parentId: id.nullable() });

const compaction = z.object({
  type: z.literal("compaction"),
  id,
  summary: z.string(),
  fromMessageId: id,
  toMessageId: id,
  metadata,
  createdAt: moment,
});

const skill = skillEvent.extend({ type: z.literal("skill"), messageId: id });

/** The previous version had neither id nor origin, and only "todos" was per session. */
const block = z.object({
  type: z.literal("block"),
  id: id.optional(),
  /** A session's id; empty for every session. */
  scope: z.string(),
  perSession: z.boolean().optional(),
  origin: z.enum(["app", "person", "code"]).optional(),
  label: id,
  description: z.string(),
  kind: z.enum(["readonly", ...storedKinds]),
  writers: z.enum(["person", "both"]),
  maxTokens: z.int().min(1).nullable(),
});

const document = z.object({
  type: z.literal("document"),
  scope: z.string(),
  /** The previous version had the label alone. */
  blockId: id.optional(),
  label: id,
  key: z.string(),
  title: z.string(),
  description: z.string().nullable(),
  versions: count,
});

const version = z.object({
  type: z.literal("version"),
  version: z.int().min(1),
  content: z.string().nullable(),
  author: z.enum(["person", "model", "system", "program"]),
  program: z.string().max(200).optional(),
  sessionId: id.nullable(),
  messageId: id.nullable(),
  createdAt: moment,
});

const answer = z.object({
  type: z.literal("answer"),
  runId: id,
  messageId: id,
  parentId: id,
  model: z.string(),
  status: z.enum(["complete", "stopped", "interrupted", "failed"]),
  receipt: metadata.nullable(),
  startedAt: moment,
  finishedAt: moment.nullable(),
});

const sessionEnd = z.object({
  type: z.literal("session-end"),
  id,
  messages: count,
});

const end = z.object({ type: z.literal("end"), sessions: count });

const afterHeader = {
  session,
  message,
  gap,
  compaction,
  skill,
  block,
  document,
  version,
  answer,
  sessionEnd,
  end,
} as const;

/** Lines of a session are between its `session` and its `session-end`. */
export const sessionRecords = { header, ...afterHeader } as const;

export const sessionFileRecord = z.discriminatedUnion("type", [
  header,
  ...Object.values(afterHeader),
]);

export type SessionFileRecord = z.output<typeof sessionFileRecord>;

export type SessionRecordOf<Type extends SessionFileRecord["type"]> = Extract<
  SessionFileRecord,
  { type: Type }
>;

export interface ExportedDocument extends SessionRecordOf<"document"> {
  /** Oldest first, counted from 1. */
  readonly history: readonly SessionRecordOf<"version">[];
}

/** Leaves out deleted messages, removed summaries, open proposals and shared memory. */
export interface ExportedSession {
  readonly session: SessionRecordOf<"session">;
  /** Parents before children, siblings oldest first. */
  readonly messages: readonly (SessionRecordOf<"message"> | SessionRecordOf<"gap">)[];
  /** Oldest first. */
  readonly compactions: readonly SessionRecordOf<"compaction">[];
  readonly skills: readonly SessionRecordOf<"skill">[];
  readonly blocks: readonly SessionRecordOf<"block">[];
  readonly documents: readonly ExportedDocument[];
  readonly answers: readonly SessionRecordOf<"answer">[];
}
