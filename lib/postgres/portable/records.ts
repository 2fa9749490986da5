import { z } from "zod";

/** Other versions are refused. */
export const portableFormat = 1;

const id = z.string().min(1).max(200);
const moment = z.iso.datetime({ offset: true });
const count = z.int().min(0);
const longText = z.string().max(5_000_000);
const metadata = z.record(z.string(), z.unknown());

const part = z.looseObject({ type: z.string().min(1).max(100) }).superRefine((given, context) => {
  const isText = given.type === "text" || given.type === "reasoning";
  if (isText && typeof given.text !== "string")
    context.addIssue({ code: "custom", path: ["text"], message: "must be a text" });
  const isTool = given.type === "dynamic-tool" || given.type.startsWith("tool-");
  if (isTool && typeof given.toolCallId !== "string")
    context.addIssue({ code: "custom", path: ["toolCallId"], message: "must be a text" });
  if (isTool && !toolStates.has(String(given.state)))
    context.addIssue({ code: "custom", path: ["state"], message: "is no state of a tool call" });
});

const toolStates = new Set([
  "input-streaming",
  "input-available",
  "approval-requested",
  "approval-responded",
  "output-available",
  "output-error",
  "output-denied",
]);

const messageMetadata = z.looseObject({
  status: z.enum(["complete", "stopped", "interrupted", "failed"]).optional(),
  runId: id.optional(),
  model: z.string().optional(),
  inputTokens: z.number().optional(),
  outputTokens: z.number().optional(),
  cost: z.number().optional(),
  error: z
    .looseObject({ code: z.string(), message: z.string(), retryable: z.boolean() })
    .optional(),
  writes: z
    .array(
      z.looseObject({
        blockId: id.optional(),
        label: id,
        key: z.string().optional(),
        version: count,
      }),
    )
    .optional(),
});

const header = z.object({
  type: z.literal("grove-export"),
  format: z.literal(portableFormat),
  exportedAt: moment,
});

const settings = z.object({
  type: z.literal("settings"),
  defaultModel: z.string().max(200).nullable(),
  modelOverrides: z.array(z.unknown()).max(500),
});

/** For reference; never imported. */
const provider = z.looseObject({ type: z.literal("provider") });

/** The previous version had neither id nor origin, and only "todos" was per session. */
const block = z.object({
  type: z.literal("block"),
  id: id.optional(),
  /** A session; empty for every session. */
  scope: z.string().max(200),
  perSession: z.boolean().optional(),
  origin: z.enum(["app", "person", "code"]).optional(),
  label: id,
  description: z.string().max(1_000),
  kind: z.enum(["readonly", "writable", "searchable", "loadable"]),
  writers: z.enum(["person", "both"]),
  maxTokens: z.int().min(1).max(1_000_000).nullable(),
});

const document = z.object({
  type: z.literal("document"),
  /** A session; empty for every session. */
  scope: z.string().max(200),
  /** The previous version had the label alone. */
  blockId: id.optional(),
  label: id,
  key: z.string().max(200),
  title: z.string().max(1_000),
  description: z.string().max(10_000).nullable(),
  versions: count,
});

const version = z.object({
  type: z.literal("version"),
  version: z.int().min(1),
  content: longText.nullable(),
  author: z.enum(["person", "model", "system"]),
  sessionId: id.nullable(),
  messageId: id.nullable(),
  createdAt: moment,
});

const skillEvent = z.object({
  label: z.string().max(200),
  key: z.string().max(200),
  action: z.enum(["load", "unload"]),
});

/** Of the first version: label, key and action in turn. */
const flatSkillEvents = z
  .array(z.string().max(200))
  .max(3_000)
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
  title: z.string().max(1_000),
  model: z.string().max(200).nullable(),
  source: z.string().max(200).nullable(),
  tags: z.array(z.string().min(1).max(50)).max(100),
  metadata,
  parentSessionId: id.nullable(),
  forkedAtMessageId: id.nullable(),
  inputTokens: count,
  outputTokens: count,
  cost: z.number().min(0),
  frozenPrompt: longText.nullable(),
  pinnedAt: moment.nullable(),
  archivedAt: moment.nullable(),
  createdAt: moment,
  updatedAt: moment,
  activeLeafId: id.nullable(),
  skillsBefore: z.union([z.array(skillEvent).max(1_000), flatSkillEvents]).default([]),
  /** Every message without children, which together span the tree. */
  leafIds: z.array(id).max(100_000),
});

const message = z.object({
  type: z.literal("message"),
  id,
  parentId: id.nullable(),
  role: z.enum(["system", "user", "assistant"]),
  createdAt: moment,
  pinned: z.boolean(),
  label: z.string().min(1).max(80).nullable(),
  content: z.object({
    parts: z.array(part).max(10_000),
    metadata: messageMetadata.optional(),
  }),
});

/** A deleted message at the end of a summary; its children belong to the nearest message above. */
const gap = z.object({ type: z.literal("gap"), id, parentId: id.nullable() });

const compaction = z.object({
  type: z.literal("compaction"),
  id,
  summary: longText.min(1),
  fromMessageId: id,
  toMessageId: id,
  metadata,
  createdAt: moment,
});

const skill = z.object({
  type: z.literal("skill"),
  messageId: id,
  label: id,
  key: z.string().max(200),
  action: z.enum(["load", "unload"]),
});

const receipt = z.looseObject({
  model: z.string(),
  prompt: z.string(),
  messages: z.array(
    z.looseObject({ id: z.string(), role: z.string(), preview: z.string(), tokens: z.number() }),
  ),
  blocks: z.array(z.looseObject({ label: z.string(), version: z.number() })),
  skills: z.array(z.looseObject({ label: z.string(), key: z.string() })),
  tools: z.array(z.string()),
  tokens: z.looseObject({ prompt: z.number(), messages: z.number(), tools: z.number() }),
  usage: z.looseObject({ inputTokens: z.number(), outputTokens: z.number() }).nullable(),
  cost: z.number().nullable(),
  startedAt: z.string(),
  finishedAt: z.string().nullable(),
});

const answer = z.object({
  type: z.literal("answer"),
  runId: id,
  messageId: id,
  parentId: id,
  model: z.string().max(200),
  status: z.enum(["complete", "stopped", "interrupted", "failed"]),
  receipt: receipt.nullable(),
  startedAt: moment,
  finishedAt: moment.nullable(),
});

const sessionEnd = z.object({ type: z.literal("session-end"), id, messages: count });

const usage = z.object({
  type: z.literal("usage"),
  id,
  kind: z.enum(["answer", "summary", "title"]),
  sessionId: id,
  model: z.string().max(200),
  inputTokens: count,
  cachedTokens: count,
  outputTokens: count,
  cost: z.number().min(0).nullable(),
  reported: z.boolean(),
  createdAt: moment,
});

const end = z.object({ type: z.literal("end"), sessions: count });

/** Lines of a session are between its `session` and its `session-end`. */
export const portableRecord = z.discriminatedUnion("type", [
  header,
  settings,
  provider,
  block,
  document,
  version,
  session,
  message,
  gap,
  compaction,
  skill,
  answer,
  sessionEnd,
  usage,
  end,
]);

export type PortableRecord = z.output<typeof portableRecord>;

export type PortableOf<Type extends PortableRecord["type"]> = Extract<
  PortableRecord,
  { type: Type }
>;

/** For an invalid line, with a sentence for the person. */
export class ImportError extends Error {
  override readonly name = "ImportError";
  constructor(
    message: string,
    readonly field?: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
