/**
 * What crosses the wire between Grove's HTTP API and its clients: request bodies as zod schemas (parsed by the server),
 * answers as types. Dates travel as ISO 8601 strings. Browser code imports only types from here.
 */
import type { UIMessage } from "ai";
import { z } from "zod";

/* ---------- messages ---------- */

/** How an answer ended. A question has no status. */
export type AnswerStatus = "complete" | "stopped" | "interrupted" | "failed";

export interface ModelErrorWire {
  /** `bad-key`, `rate-limited`, `overloaded`, `timeout`, `context-overflow`, `network`, `cut`, `refused`, `bad-request`, `unknown`. */
  code: string;
  /** A sentence for the person, saying what to do. */
  message: string;
  retryable: boolean;
}

export interface MemoryWriteWire {
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

export interface CompactionWire {
  id: string;
  summary: string;
  fromMessageId: string;
  toMessageId: string;
  createdAt: string;
  /** Stored messages it stands for. */
  messageCount: number;
  tokensBefore?: number;
  tokensAfter?: number;
  model?: string;
  cost?: number;
  focus?: string;
}

/** One line of the transcript; with `compaction` it is a seam and `message` is the synthetic summary message. */
export interface EntryWire {
  message: GroveMessage;
  createdAt: string;
  parentId: string | null;
  siblings: SiblingsWire;
  pinned: boolean;
  /** A name the person gave it. */
  label: string | null;
  position: number;
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
  /** Oldest first, stored messages without summaries; at most 200. The sums below are over all of them. */
  entries: EntryWire[];
  messageCount: number;
  inputTokens: number;
  outputTokens: number;
  /** Dollars; `null` when no price is known. */
  cost: number | null;
  models: string[];
  memory: MemoryChangeWire[];
}

/** `GET /api/sessions/:id/compare?left=&right=` */
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

/* ---------- sessions ---------- */

/** Whether the model may write memory in a session: by itself, when the person agrees, or not at all. */
export type MemoryMode = "on" | "ask" | "off";

export interface SessionWire {
  id: string;
  title: string;
  model: string | null;
  tags: string[];
  pinned: boolean;
  archived: boolean;
  messageCount: number;
  parentSessionId: string | null;
  forkedAtMessageId: string | null;
  inputTokens: number;
  outputTokens: number;
  cost: number;
  memoryMode: MemoryMode;
  /** An answer is being written. */
  writing: boolean;
  createdAt: string;
  updatedAt: string;
}

/** `GET /api/sessions?archived=1&tag=&cursor=&limit=` */
export interface SessionPageWire {
  sessions: SessionWire[];
  nextCursor: string | null;
}

/** `GET /api/tags`: of all sessions, archived ones too; most used first. */
export interface TagsWire {
  tags: { tag: string; count: number }[];
}

/** `GET /api/sessions/:id` */
export interface SessionDetailWire {
  session: SessionWire;
  parent: { id: string; title: string } | null;
  forks: { id: string; title: string }[];
  activeLeafId: string | null;
}

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

/* ---------- memory and context ---------- */

/** Who may write a block here: `soul` is the person's alone, skills kept elsewhere are written there. */
export type BlockWriters = "person" | "both" | "nobody";

export type BlockKind = "readonly" | "writable" | "searchable" | "loadable";

export interface BlockWire {
  label: string;
  description: string | null;
  kind: BlockKind;
  scope: "owner" | "session";
  writers: BlockWriters;
  /** Where its entries are kept, when that is not Grove. */
  origin: string | null;
  /** Text of a plain block; the listing or summary of a keyed one. */
  content: string;
  version: number;
  tokens: number;
  maxTokens: number | null;
  /** Entries of a keyed block. */
  entryCount: number | null;
  /** Why the block cannot be used at the moment. */
  error: string | null;
}

export interface VersionWire {
  version: number;
  content: string | null;
  author: "person" | "model" | "system";
  sessionId: string | null;
  messageId: string | null;
  /** The model proposed it and the person accepted. */
  proposed: boolean;
  createdAt: string;
}

/** `GET /api/proposals/:id`: what a model wants to write, or wanted to. */
export interface ProposalWire {
  id: string;
  sessionId: string;
  /** The answer that asks for it. */
  messageId: string | null;
  label: string;
  /** Set for an entry of a keyed block. */
  key: string | null;
  title: string | null;
  action: "replace" | "append";
  status: "open" | "accepted" | "declined";
  /**
   * The text without the write and with it. Open: as it is now, and as accepting would leave it. Accepted: the version it
   * made and the one before. Declined: the text the model had seen.
   */
  before: string;
  after: string;
  /** Open: the newest version, to be handed in with a decision. */
  currentVersion: number;
  /** Open: the text is another one than the model had seen. */
  isChangedSince: boolean;
  /** The version that accepting it made. */
  version: number | null;
  createdAt: string;
  decidedAt: string | null;
}

export interface EntryDocumentWire {
  key: string;
  title: string;
  description: string | null;
  content: string;
  version: number;
  tokens: number;
  updatedAt: string;
  /** Skills only: loaded on the path in view. */
  loaded: boolean;
  /** Why it cannot be loaded from where it is kept; `null` when it can. */
  problem: string | null;
}

export interface GaugeWire {
  /** Tokens the next request would carry, by source. */
  parts: {
    source: "prompt" | "messages" | "summaries" | "tools" | "skills";
    label: string;
    tokens: number;
  }[];
  usedTokens: number;
  contextWindow: number;
  /** Dollars for the next request's input; `null` when the price is unknown. */
  nextCost: number | null;
}

/** `GET /api/sessions/:id/context?leaf=` */
export interface ContextWire {
  blocks: BlockWire[];
  /** The frozen prompt, as the model gets it. */
  prompt: string;
  /** Blocks whose text differs between the frozen prompt and now. */
  changes: {
    label: string;
    kind: "added" | "changed" | "removed";
    before: string;
    after: string;
  }[];
  loadedSkills: { label: string; key: string }[];
  gauge: GaugeWire;
}

/** `GET /api/sessions/:id/messages/:messageId/uses` → `{ uses: UseWire[] }`: something of memory that an answer used. */
export interface UseWire {
  label: string;
  /** `null` for the text of a plain block. */
  key: string | null;
  /** It stood in the prompt, was found by a search, or was loaded whole. */
  how: "prompt" | "found" | "loaded";
}

/** `GET /api/sessions/:id/messages/:messageId/receipt`: exactly what the model was given for one answer. */
export interface ReceiptWire {
  model: string;
  prompt: string;
  /** In order; summaries appear as `compaction_<id>`. */
  messages: { id: string; role: string; preview: string; tokens: number }[];
  /** In the prompt, at the version it was made from; empty for a prompt that was kept without them. */
  blocks: { label: string; version: number }[];
  skills: { label: string; key: string }[];
  /** Blocks that said something in the prompt, skills loaded and entries found; once the answer has ended, all of them. */
  used?: UseWire[];
  tools: string[];
  tokens: { prompt: number; messages: number; tools: number };
  usage: { inputTokens: number; outputTokens: number; cachedInputTokens?: number } | null;
  cost: number | null;
  startedAt: string;
  finishedAt: string | null;
}

/** `GET /api/sessions/:id/compactions/preview?leaf=` */
export interface CompactionPreviewWire {
  /** `null` when there is nothing to fold. */
  range: {
    fromMessageId: string;
    toMessageId: string;
    /** Messages as the person counts them: those under an earlier summary are among them. */
    messageCount: number;
    /** Of these, so many stand under an earlier summary, which is taken up. */
    summarizedCount: number;
    tokens: number;
  } | null;
  keptMessageCount: number;
  keptTokens: number;
}

/** What is said of a summary while it is written. `done` or `failed` is the last. */
export type CompactionEventWire =
  /** It begins, or begins anew with the next piece of a long conversation. */
  | { type: "started" }
  | { type: "text"; text: string }
  | { type: "done"; compaction: CompactionWire }
  | ({ type: "failed" } & ErrorWire);

/* ---------- search ---------- */

export interface SearchHitWire {
  id: string;
  sessionId: string;
  sessionTitle: string;
  role: "system" | "user" | "assistant";
  createdAt: string;
  snippet: { text: string; marks: [number, number][] };
  place: "active" | "branch" | "under-summary" | "summary";
  score: number;
}

/** `GET /api/search?q=&session=&limit=` */
export interface SearchWire {
  hits: SearchHitWire[];
  /** Sessions whose title matches. */
  sessions: { id: string; title: string; updatedAt: string }[];
  /** Memory blocks, knowledge and skills that match. */
  documents: {
    label: string;
    key: string | null;
    title: string;
    snippet: { text: string; marks: [number, number][] };
  }[];
  corrected: string | null;
  /** What looks like a filter and is none, a sentence for each. */
  problems: string[];
}

/* ---------- models and settings ---------- */

export interface ModelWire {
  ref: string;
  label: string;
  provider: string;
  contextWindow: number;
  /** Dollars per million tokens. */
  price: { inputPerMillion: number; outputPerMillion: number } | null;
  isDemo: boolean;
  isLocal: boolean;
}

/** `GET /api/models` */
export interface ModelsWire {
  models: ModelWire[];
  defaultModel: string;
  problems: { provider: string; message: string }[];
}

export interface ProviderSettingWire {
  id: string;
  provider: "openai" | "anthropic" | "google" | "compatible";
  name: string;
  baseUrl: string | null;
  /** Last four characters of the stored key; the key itself never leaves the server. */
  keyHint: string | null;
  /** Set by the environment, so it cannot be changed here. */
  fromEnvironment: boolean;
}

/** `GET /api/settings` */
export interface SettingsWire {
  providers: ProviderSettingWire[];
  defaultModel: string | null;
  /** What new sessions start with. */
  memoryMode: MemoryMode;
  modelOverrides: {
    ref: string;
    contextWindow: number | null;
    inputPerMillion: number | null;
    outputPerMillion: number | null;
  }[];
  example: { sessionId: string; exists: boolean };
  version: string;
  dataLocation: string;
}

/* ---------- usage ---------- */

export interface UsageSumWire {
  calls: number;
  inputTokens: number;
  /** Of the input, those the provider had in its cache. */
  cachedInputTokens: number;
  outputTokens: number;
  /** Dollars, of the calls whose price was known. */
  cost: number;
  /** Calls whose price was not known: `cost` lacks them. */
  unpricedCalls: number;
  /** Calls whose numbers are estimates, since the provider did not say. */
  estimatedCalls: number;
}

/** `GET /api/usage?days=&tz=`: sums of answers, summaries and titles; `days` 7, 30, 90, or absent for all. */
export interface UsageWire {
  /** Days of the reader's zone, as `2026-01-31`; `null` when nothing was used. Days without calls are left out below. */
  from: string | null;
  to: string;
  timeZone: string;
  total: UsageSumWire;
  days: (UsageSumWire & { day: string })[];
  /** Most expensive first, then most tokens. */
  models: (UsageSumWire & { model: string })[];
  /** The 50 that took most; `title` is `null` when the session is gone. */
  sessions: (UsageSumWire & { sessionId: string; title: string | null })[];
  kinds: (UsageSumWire & { kind: "answer" | "summary" | "title" })[];
}

/* ---------- data ---------- */

/** `GET /api/data`: what there is, and `DELETE /api/data`: what was deleted. */
export interface DataCountsWire {
  sessions: number;
  messages: number;
  /** Blocks, knowledge and skills that hold everywhere. */
  documents: number;
  providers: number;
  /** Calls of models, as the usage page counts them. */
  calls: number;
}

/** `DELETE /api/data` → `DataCountsWire`. */
export const deleteDataRequest = z.object({
  confirm: z.literal("delete everything", { error: "must be “delete everything”" }),
});
export type DeleteDataRequest = z.input<typeof deleteDataRequest>;

/** `POST /api/import`: an export as it was downloaded, of the type `application/x-ndjson`. */
export interface ImportReportWire {
  sessions: {
    imported: number;
    /** Here already, whole. */
    already: number;
    /** Deleted here, and brought back. */
    restored: number;
    /** Left out as a whole; `problems` says why. */
    failed: number;
  };
  /** Blocks, knowledge and skills; `left` ones were changed here and stay as they are. */
  documents: { imported: number; already: number; left: number };
  /** The first 100, in the order of the file. */
  problems: { line: number; field?: string; message: string }[];
  problemCount: number;
}

/** Every error answer. `field` names the offending part of a body. */
export interface ErrorWire {
  error: { code: string; message: string; field?: string };
}

/** `GET /api/events`: server-sent events, one JSON object each; a client refetches what it shows. */
export type EventWire =
  | { type: "session-changed"; sessionId: string }
  | { type: "session-removed"; sessionId: string }
  | { type: "run-started"; sessionId: string; run: RunWire }
  | {
      type: "run-finished";
      sessionId: string;
      runId: string;
      messageId: string;
      status: AnswerStatus;
    }
  | { type: "memory-changed"; label: string; sessionId: string | null }
  | { type: "proposals-changed"; sessionId: string }
  /** Events may have been lost on their way: everything shown is to be read again. */
  | { type: "missed" };

/* ---------- request bodies ---------- */

const idSchema = z.string().min(1, "must not be empty").max(200, "must be at most 200 characters");
const modelSchema = z.string().min(1).max(200);
const memoryModeSchema = z.enum(["on", "ask", "off"]);

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

/** `POST /api/sessions` → 201 `SessionWire`. */
export const createSessionRequest = z.object({
  id: idSchema.optional(),
  title: z.string().max(200).default(""),
  model: modelSchema.optional(),
});

/** `PATCH /api/sessions/:id` → `SessionWire`. */
export const changeSessionRequest = z.object({
  title: z.string().trim().min(1, "must not be empty").max(200).optional(),
  model: modelSchema.nullable().optional(),
  tags: z.array(z.string().trim().min(1).max(50)).max(20).optional(),
  pinned: z.boolean().optional(),
  archived: z.boolean().optional(),
  memoryMode: memoryModeSchema.optional(),
  /** The message to open at and continue from. */
  activeLeafId: idSchema.optional(),
});

/** `PATCH /api/sessions/:id/messages/:messageId` → `EntryWire`. A label of `null` or without text takes it away. */
export const changeMessageRequest = z.object({
  pinned: z.boolean().optional(),
  label: z.string().trim().max(80, "must be at most 80 characters").nullable().optional(),
});

/** `DELETE /api/sessions/:id/messages` → `{ deletionId, messageIds }`; `subtree` also takes everything under them. */
export const deleteMessagesRequest = z.object({
  ids: z.array(idSchema).min(1).max(10_000),
  subtree: z.boolean().default(false),
});

/** `POST /api/sessions/:id/messages/restore` */
export const restoreMessagesRequest = z.object({ deletionId: idSchema });

/** `POST /api/sessions/:id/fork` → 201 `SessionWire`. */
export const forkRequest = z.object({
  id: idSchema.optional(),
  messageId: idSchema,
  title: z.string().trim().max(200).optional(),
  withSideBranches: z.boolean().default(false),
});

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

/**
 * `POST /api/sessions/:id/compactions` → 201 `CompactionWire`, or 409 `nothing-to-compact`; asked for as
 * `text/event-stream`, the summary comes while it is written, as `CompactionEventWire`. With `replaces` the summary of
 * that id is written anew from what it stands for.
 */
export const compactRequest = z.object({
  leafId: idSchema.optional(),
  focus: z.string().trim().max(500).optional(),
  replaces: idSchema.optional(),
});

/** `PATCH /api/sessions/:id/compactions/:compactionId`; `DELETE` removes it, `POST …/restore` puts it back. */
export const changeCompactionRequest = z.object({
  summary: z.string().trim().min(1, "must not be empty").max(100_000),
});

/** `POST /api/sessions/:id/skills` → `ContextWire`: a person loads or unloads a skill on the active path. */
export const skillEventRequest = z.object({
  label: idSchema,
  key: idSchema,
  action: z.enum(["load", "unload"]),
});

/** `PUT /api/blocks/:label?session=` → `BlockWire`, or 409 `block-conflict` when another version is newest. */
export const writeBlockRequest = z.object({
  content: z.string().max(20_000, "must be at most 20,000 characters"),
  expectedVersion: z.int().min(0).optional(),
});

/** `PUT /api/blocks/:label/entries/:key?session=`, and `POST …/entries` where the key comes from the title. */
export const writeEntryRequest = z.object({
  title: z.string().trim().min(1, "must not be empty").max(200),
  description: z.string().trim().max(1_000).optional(),
  content: z.string().min(1, "must not be empty").max(200_000),
  expectedVersion: z.int().min(0).optional(),
});

/**
 * `POST /api/proposals/:id/accept` → `ProposalWire`, or 409 `block-conflict` when another version is newest than
 * `expectedVersion`; without it, than the one the model had seen. `content` is the whole text as the person has put it right.
 */
export const acceptProposalRequest = z.object({
  content: z.string().max(200_000).optional(),
  expectedVersion: z.int().min(0).optional(),
});

/** `PUT /api/settings/providers/:id`. An omitted key keeps the stored one unless the address changes. */
export const writeProviderRequest = z.object({
  provider: z.enum(["openai", "anthropic", "google", "compatible"]),
  name: z.string().trim().min(1).max(50),
  baseUrl: z
    .url({ protocol: /^https?$/, error: "must be an http or https address" })
    .nullable()
    .optional(),
  apiKey: z.string().trim().min(1).max(500).nullable().optional(),
});

/** `PATCH /api/settings` */
export const changeSettingsRequest = z.object({
  defaultModel: modelSchema.nullable().optional(),
  memoryMode: memoryModeSchema.optional(),
  modelOverrides: z
    .array(
      z.object({
        ref: modelSchema,
        contextWindow: z.int().min(1_000).max(100_000_000).nullable(),
        inputPerMillion: z.number().min(0).max(100_000).nullable(),
        outputPerMillion: z.number().min(0).max(100_000).nullable(),
      }),
    )
    .max(500)
    .optional(),
});
