import { z } from "zod";
import { partRecord, sessionRecords } from "../../session/internal";

const id = z.string().min(1).max(200);
const moment = z.iso.datetime({ offset: true });
const count = z.int().min(0);
const longText = z.string().max(5_000_000);

/** The page shows these fields unchecked. */
const part = partRecord.superRefine((given, context) => {
  const assertTexts = (names: readonly string[], { isOptional = false } = {}) => {
    for (const name of names) {
      const isAbsent = isOptional && given[name] === undefined;
      if (typeof given[name] !== "string" && !isAbsent)
        context.addIssue({ code: "custom", path: [name], message: "must be a text" });
    }
  };
  if (given.type === "" || given.type.length > 200)
    context.addIssue({ code: "custom", path: ["type"], message: "has 1 to 200 characters" });
  if (given.type === "text" || given.type === "reasoning") assertTexts(["text"]);
  if (given.type === "file") {
    assertTexts(["mediaType"]);
    assertTexts(["filename"], { isOptional: true });
  }
  if (given.type !== "dynamic-tool" && !given.type.startsWith("tool-")) return;
  assertTexts(given.type === "dynamic-tool" ? ["toolCallId", "toolName"] : ["toolCallId"]);
  if (!toolStates.has(String(given.state)))
    context.addIssue({ code: "custom", path: ["state"], message: "is no state of a tool call" });
  if (given.state === "output-error") assertTexts(["errorText"]);
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

const lineCount = z.looseObject({ added: count, removed: count });

const messageMetadata = z.looseObject({
  status: z.enum(["complete", "stopped", "interrupted", "failed", "paused"]).optional(),
  runId: id.optional(),
  model: z.string().optional(),
  inputTokens: z.number().min(0).optional(),
  outputTokens: z.number().min(0).optional(),
  cost: z.number().min(0).optional(),
  error: z
    .looseObject({ code: z.string(), message: z.string(), retryable: z.boolean() })
    .optional(),
  leftOut: z
    .looseObject({
      refused: z
        .array(z.enum(["tools", "images", "pdfs", "schema", "json", "system", "thoughts", "calls"]))
        .optional(),
      files: z.array(z.looseObject({ name: z.string(), reason: z.string() })).optional(),
      fileCount: count.optional(),
    })
    .optional(),
  writes: z
    .array(
      z.looseObject({
        blockId: id.optional(),
        label: id,
        key: z.string().optional(),
        version: count,
        lines: lineCount.optional(),
      }),
    )
    .optional(),
  proposals: z
    .array(
      z.looseObject({ id, label: id, key: z.string().optional(), lines: lineCount.optional() }),
    )
    .optional(),
});

const settings = z.object({
  type: z.literal("settings"),
  defaultModel: z.string().max(200).nullable(),
  modelOverrides: z.array(z.unknown()).max(5_000),
  modelFeatures: z.array(z.unknown()).max(10_000).optional(),
  presets: z.array(z.unknown()).max(5_000).optional(),
  favoriteModels: z.array(z.string().max(200)).max(10_000).optional(),
  hiddenModels: z.array(z.string().max(200)).max(10_000).optional(),
  prompts: z.array(z.unknown()).max(5_000).optional(),
});

/** Listed for reference; never imported. */
const provider = z.looseObject({ type: z.literal("provider") });

/** The prompt's header is one line; a session with another cannot be opened. */
const blockLabel = id.regex(
  /^[^\p{Cc}\p{Zl}\p{Zp}═]*[^\p{Cc}\p{Z}═][^\p{Cc}\p{Zl}\p{Zp}═]*$/u,
  "must be one line of text",
);

const block = sessionRecords.block.extend({
  id: id.optional(),
  scope: z.string().max(200),
  label: blockLabel,
  description: z.string().max(1_000),
  maxTokens: z.int().min(1).max(1_000_000).nullable(),
});

const document = sessionRecords.document.extend({
  scope: z.string().max(200),
  blockId: id.optional(),
  label: blockLabel,
  key: z.string().max(200),
  title: z.string().max(1_000),
  description: z.string().max(10_000).nullable(),
});

const version = sessionRecords.version.extend({ content: longText.nullable() });

const session = sessionRecords.session.extend({
  id,
  title: z.string().max(1_000),
  model: z.string().max(200).nullable(),
  source: z.string().max(200).nullable(),
  tags: z.array(z.string().min(1).max(50)).max(100),
  inputTokens: count,
  outputTokens: count,
  frozenPrompt: longText.nullable(),
  leafIds: z.array(id).max(100_000),
});

const message = sessionRecords.message.extend({
  id,
  label: z.string().min(1).max(80).nullable(),
  content: z.looseObject({
    parts: z.array(part).max(25_000),
    metadata: messageMetadata.optional(),
  }),
});

const compaction = sessionRecords.compaction.extend({ id, summary: longText.min(1) });

const skill = sessionRecords.skill.extend({ label: id, key: z.string().max(200) });

const sentMessages = z.looseObject({
  leafId: z.string(),
  ids: z.array(z.string()),
  roles: z.string(),
  tokens: z.array(z.number()),
  digests: z.string(),
  shortened: z.record(z.string(), z.array(z.unknown())),
});

const receipt = z.looseObject({
  model: z.string(),
  prompt: z.string(),
  messages: z
    .array(
      z.looseObject({ id: z.string(), role: z.string(), preview: z.string(), tokens: z.number() }),
    )
    .optional(),
  sent: sentMessages.optional(),
  blocks: z.array(z.looseObject({ label: z.string(), version: z.number() })),
  skills: z.array(z.looseObject({ label: z.string(), key: z.string() })),
  tools: z.array(z.string()),
  tokens: z.looseObject({ prompt: z.number(), messages: z.number(), tools: z.number() }),
  usage: z.looseObject({ inputTokens: z.number(), outputTokens: z.number() }).nullable(),
  cost: z.number().nullable(),
  startedAt: z.string(),
  finishedAt: z.string().nullable(),
});

const answer = sessionRecords.answer.extend({
  runId: id,
  model: z.string().max(200),
  receipt: receipt.nullable(),
});

const usage = z.object({
  type: z.literal("usage"),
  id,
  kind: z.enum(["answer", "summary", "title", "embedding"]),
  sessionId: z.union([id, z.literal("")]),
  model: z.string().max(200),
  inputTokens: count,
  cachedTokens: count,
  outputTokens: count,
  cost: z.number().min(0).nullable(),
  reported: z.boolean(),
  createdAt: moment,
});

const file = z.object({
  type: z.literal("file"),
  sha256: z.string().regex(/^[0-9a-f]{64}$/, "must be a SHA-256"),
  size: z.int().min(1),
  mediaType: z.string().min(1).max(200),
  facts: z.record(z.string(), z.unknown()),
});

const fileChunk = z.object({ type: z.literal("file-chunk"), bytes: z.base64() });

const filePage = z.object({
  type: z.literal("file-page"),
  page: z.int().min(1),
  title: z.string().max(1_000),
  text: z.string(),
});

/** A file from elsewhere: records of sessions in the shapes the app shows, and those of an owner. */
export const portableRecord = z.discriminatedUnion("type", [
  sessionRecords.header,
  settings,
  provider,
  block,
  document,
  version,
  session,
  message,
  sessionRecords.gap.extend({ id }),
  compaction,
  skill,
  answer,
  sessionRecords.sessionEnd,
  usage,
  file,
  fileChunk,
  filePage,
  sessionRecords.end,
]);

export type PortableRecord = z.output<typeof portableRecord>;

export type PortableOf<Type extends PortableRecord["type"]> = Extract<
  PortableRecord,
  { type: Type }
>;
