import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  customType,
  doublePrecision,
  foreignKey,
  index,
  integer,
  pgSchema,
  pgSequence,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  unique,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { z } from "zod";
import { jsonColumn } from "./json-column";

/**
 * Every key leads with `owner_id`: the hash-partition key of the search table, and the distribution column when one
 * Postgres is no longer enough. Foreign keys carry the owner, so a row can never refer to another owner's.
 */
const tsvector = customType<{ data: string }>({ dataType: () => "tsvector" });

const ownerId = () => text("owner_id").notNull();
const createdAt = () => timestamp("created_at", { withTimezone: true }).notNull().defaultNow();
const updatedAt = () => timestamp("updated_at", { withTimezone: true }).notNull().defaultNow();
const moment = (name: string) => timestamp(name, { withTimezone: true });
const number = (name: string) => bigint(name, { mode: "number" });
const anyObject = z.record(z.string(), z.unknown());
const roles = ["system", "user", "assistant"] as const;
const skillEvent = z.object({
  label: z.string(),
  key: z.string(),
  action: z.enum(["load", "unload"]),
});

/** Bookkeeping besides migrations. Not "grove": a schema named like the user would hide "public". */
export const bookkeeping = pgSchema("bookkeeping");

export const appliedFunctions = bookkeeping.table("applied_functions", {
  hash: text("hash").primaryKey(),
});

export const wordAnalysis = bookkeeping.table("word_analysis", {
  version: integer("version").primaryKey(),
  place: jsonColumn("place", z.array(z.union([z.string(), z.number()]))),
  done: boolean("done").notNull().default(false),
});

/** Orders compactions, skill events and forks, so that a fork sees only earlier ones. */
export const chatMoment = pgSequence("chat_moment");
export const chatSearchSeq = pgSequence("chat_search_seq");

export const chatOwner = pgTable("chat_owner", {
  ownerId: text("owner_id").primaryKey(),
  settings: jsonColumn("settings", anyObject).notNull().default({}),
  wordsSeq: number("words_seq").notNull().default(0),
  createdAt: createdAt(),
});

export const chatSecret = pgTable(
  "chat_secret",
  {
    ownerId: ownerId(),
    name: text("name").notNull(),
    /** Public: provider, address, last characters of the key. */
    description: jsonColumn("description", anyObject).notNull(),
    /** AES-256-GCM envelope; `null` when no key is stored. */
    sealed: text("sealed"),
    updatedAt: updatedAt(),
  },
  (table) => [primaryKey({ columns: [table.ownerId, table.name] })],
);

export const chatSession = pgTable(
  "chat_session",
  {
    ownerId: ownerId(),
    sessionId: text("session_id").notNull(),
    title: text("title").notNull().default(""),
    /** `null` position: the branch's head. */
    activeBranch: number("active_branch"),
    activePos: integer("active_pos"),
    /** The highest one of a branch tells its last used leaf. */
    touches: number("touches").notNull().default(0),
    messageCount: integer("message_count").notNull().default(0),
    /** Skill events before the first message, in order. */
    skillsBefore: jsonColumn("skills_before", z.array(skillEvent)).notNull().default([]),
    parentSessionId: text("parent_session_id"),
    forkedAtMessageId: text("forked_at_message_id"),
    model: text("model"),
    source: text("source"),
    tags: text("tags").array().notNull().default(sql`'{}'::text[]`),
    metadata: jsonColumn("metadata", anyObject).notNull().default({}),
    inputTokens: number("input_tokens").notNull().default(0),
    outputTokens: number("output_tokens").notNull().default(0),
    cost: doublePrecision("cost").notNull().default(0),
    frozenPrompt: text("frozen_prompt"),
    /** In prompt order, which the keys of a jsonb object would lose. */
    frozenVersions: jsonColumn("frozen_versions", z.array(z.tuple([z.string(), z.number()]))),
    pinnedAt: moment("pinned_at"),
    archivedAt: moment("archived_at"),
    /** Milliseconds after the last write. */
    expiresAfterMs: number("expires_after_ms"),
    expiresAt: moment("expires_at"),
    deletedAt: moment("deleted_at"),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    /** An index on `updated_at` would make every append write all indexes of the row; this changes once a day. */
    updatedDay: timestamp("updated_day", { withTimezone: true }).generatedAlwaysAs(
      sql`date_bin('1 day', updated_at, '2000-01-01 00:00:00+00')`,
    ),
  },
  (table) => [
    primaryKey({ columns: [table.ownerId, table.sessionId] }),
    index("chat_session_list")
      .on(table.ownerId, sql`(pinned_at is not null) desc`, sql`updated_day desc`)
      .where(sql`deleted_at is null and archived_at is null`),
    index("chat_session_parent")
      .on(table.ownerId, table.parentSessionId)
      .where(sql`parent_session_id is not null`),
    check("chat_session_id_size", sql`length(session_id) between 1 and 200`),
  ],
);

/**
 * Positions up to `base` lie in `parent_branch`, those above it here, up to `head`. A fork borrows a parent of another
 * session.
 */
export const chatBranch = pgTable(
  "chat_branch",
  {
    ownerId: ownerId(),
    branchId: number("branch_id")
      .notNull()
      .generatedByDefaultAsIdentity({ name: "chat_branch_id" }),
    sessionId: text("session_id").notNull(),
    parentBranch: number("parent_branch"),
    base: integer("base").notNull(),
    head: integer("head").notNull(),
    touched: number("touched").notNull().default(0),
    /** Hides later changes of a borrowed parent; `null` for a parent of this session. */
    seenAsOf: number("seen_as_of"),
    /** A copied range omits deleted messages. */
    sparse: boolean("sparse").notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.ownerId, table.branchId] }),
    foreignKey({
      name: "chat_branch_session",
      columns: [table.ownerId, table.sessionId],
      foreignColumns: [chatSession.ownerId, chatSession.sessionId],
    }),
    foreignKey({
      name: "chat_branch_parent",
      columns: [table.ownerId, table.parentBranch],
      foreignColumns: [table.ownerId, table.branchId],
    }),
    index("chat_branch_of_session").on(table.ownerId, table.sessionId),
    index("chat_branch_borrowing")
      .on(table.ownerId, table.sessionId)
      .where(sql`seen_as_of is not null`),
    index("chat_branch_children").on(table.ownerId, table.parentBranch, table.base),
    check(
      "chat_branch_range",
      sql`base >= 0 and head >= base and (parent_branch is not null or base = 0)`,
    ),
  ],
);

/**
 * Only the role has a check: each costs 3% of an append. Ids and labels are refused before: `assertStorable`,
 * `storableLabel`, the records of an import.
 */
export const chatMessage = pgTable(
  "chat_message",
  {
    ownerId: ownerId(),
    branchId: number("branch_id").notNull(),
    pos: integer("pos").notNull(),
    sessionId: text("session_id").notNull(),
    id: text("id").notNull(),
    role: text("role", { enum: roles }).notNull(),
    /** Counts appends within a session, including its source's before a fork. */
    ordinal: number("ordinal").notNull(),
    pinned: boolean("pinned").notNull().default(false),
    label: text("label"),
    createdAt: createdAt(),
    deletionId: text("deletion_id"),
    deletedAt: moment("deleted_at"),
    preview: text("preview").notNull(),
    /** Verbatim JSON `{parts, metadata}`: jsonb reads slower and rejects what people paste. */
    content: text("content").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.ownerId, table.branchId, table.pos] }),
    unique("chat_message_id").on(table.ownerId, table.sessionId, table.id),
    foreignKey({
      name: "chat_message_branch",
      columns: [table.ownerId, table.branchId],
      foreignColumns: [chatBranch.ownerId, chatBranch.branchId],
    }),
    check("chat_message_role", sql`role in ('system', 'user', 'assistant')`),
    index("chat_message_pinned").on(table.ownerId, table.branchId, table.pos).where(sql`pinned`),
    index("chat_message_deleted")
      .on(table.ownerId, table.branchId, table.pos)
      .where(sql`deletion_id is not null`),
  ],
);

/** Undoable, with the active leaf before and after. */
export const chatDeletion = pgTable(
  "chat_deletion",
  {
    ownerId: ownerId(),
    deletionId: text("deletion_id").notNull(),
    sessionId: text("session_id").notNull(),
    leafBefore: text("leaf_before"),
    leafAfter: text("leaf_after"),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.ownerId, table.deletionId] })],
);

/**
 * Searchable messages and summaries. `drizzle/complete-init.mjs` partitions it by hash of the owner, which Drizzle
 * cannot express.
 */
export const chatSearch = pgTable(
  "chat_search",
  {
    ownerId: ownerId(),
    /** A sequence, because Postgres 15 has no identity columns on partitioned tables. */
    seq: number("seq").notNull().default(sql`nextval('chat_search_seq')`),
    branchId: number("branch_id").notNull(),
    pos: integer("pos").notNull(),
    /** 0 for a message, otherwise the summary's compaction. */
    compactionId: number("compaction_id").notNull().default(0),
    sessionId: text("session_id").notNull(),
    role: text("role", { enum: roles }).notNull(),
    createdAt: createdAt(),
    tsv: tsvector("tsv").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.ownerId, table.branchId, table.pos, table.compactionId] }),
    // Every search reads words not yet in the index, so they are kept few.
    index("chat_search_words")
      .using("gin", table.ownerId, table.tsv)
      .with({ gin_pending_list_limit: 256 }),
    index("chat_search_newest").on(table.ownerId, table.seq),
  ],
);

export const chatWord = pgTable(
  "chat_word",
  { ownerId: ownerId(), word: text("word").notNull() },
  (table) => [
    primaryKey({ columns: [table.ownerId, table.word] }),
    index("chat_word_similar").using("gin", table.ownerId, table.word.op("gin_trgm_ops")),
  ],
);

/** A summary of positions `from_pos` to `to_pos` on every path through `to_pos` of the branch. */
export const chatCompaction = pgTable(
  "chat_compaction",
  {
    ownerId: ownerId(),
    compactionId: number("compaction_id").notNull().default(sql`nextval('chat_moment')`),
    /** Kept by edits and undo. */
    madeMoment: number("made_moment").notNull(),
    branchId: number("branch_id").notNull(),
    sessionId: text("session_id").notNull(),
    /** Stable across edits, which insert a new row. */
    id: text("id").notNull(),
    fromPos: integer("from_pos").notNull(),
    toPos: integer("to_pos").notNull(),
    fromMessageId: text("from_message_id").notNull(),
    toMessageId: text("to_message_id").notNull(),
    summary: text("summary").notNull(),
    metadata: jsonColumn("metadata", anyObject).notNull().default({}),
    createdAt: createdAt(),
    removedMoment: number("removed_moment"),
  },
  (table) => [
    primaryKey({ columns: [table.ownerId, table.branchId, table.compactionId] }),
    foreignKey({
      name: "chat_compaction_branch",
      columns: [table.ownerId, table.branchId],
      foreignColumns: [chatBranch.ownerId, chatBranch.branchId],
    }),
    index("chat_compaction_on_branch").on(table.ownerId, table.branchId, table.toPos),
    index("chat_compaction_of_session").on(table.ownerId, table.sessionId),
    check("chat_compaction_range", sql`from_pos between 1 and to_pos`),
  ],
);

export const chatSkillEvent = pgTable(
  "chat_skill_event",
  {
    ownerId: ownerId(),
    eventId: number("event_id").notNull().default(sql`nextval('chat_moment')`),
    branchId: number("branch_id").notNull(),
    pos: integer("pos").notNull(),
    sessionId: text("session_id").notNull(),
    label: text("label").notNull(),
    key: text("key").notNull(),
    action: text("action", { enum: ["load", "unload"] }).notNull(),
    /** Recorded by a person, not by the message's own parts. */
    noted: boolean("noted").notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.ownerId, table.branchId, table.pos, table.eventId] }),
    foreignKey({
      name: "chat_skill_event_branch",
      columns: [table.ownerId, table.branchId],
      foreignColumns: [chatBranch.ownerId, chatBranch.branchId],
    }),
    check("chat_skill_event_action", sql`action in ('load', 'unload')`),
  ],
);

/**
 * `session_id` is empty for a block of every session; of those, scope "session" holds another text in each.
 *
 * A fork keeps the ids of the blocks it copies, so that its messages still name them.
 */
export const chatBlock = pgTable(
  "chat_block",
  {
    ownerId: ownerId(),
    sessionId: text("session_id").notNull().default(""),
    blockId: text("block_id").notNull(),
    label: text("label").notNull(),
    description: text("description").notNull().default(""),
    kind: text("kind", { enum: ["writable", "searchable", "loadable"] }).notNull(),
    scope: text("scope", { enum: ["owner", "session"] }).notNull(),
    writers: text("writers", { enum: ["person", "both"] }).notNull(),
    maxTokens: integer("max_tokens"),
    /** "code": made at the first write of a program that names its label. */
    origin: text("origin", { enum: ["app", "person", "code"] }).notNull(),
    /** Orders blocks without a clock. */
    moment: number("moment").notNull().default(sql`nextval('chat_moment')`),
    createdAt: createdAt(),
    deletedAt: moment("deleted_at"),
  },
  (table) => [
    primaryKey({ columns: [table.ownerId, table.sessionId, table.blockId] }),
    uniqueIndex("chat_block_label")
      .on(table.ownerId, table.sessionId, table.scope, table.label)
      .where(sql`deleted_at is null`),
    check("chat_block_label_size", sql`length(label) between 1 and 200`),
    check("chat_block_kind", sql`kind in ('writable', 'searchable', 'loadable')`),
    check("chat_block_scope", sql`scope = 'session' or (scope = 'owner' and session_id = '')`),
    check("chat_block_writers", sql`writers in ('person', 'both')`),
    check("chat_block_origin", sql`origin in ('app', 'person', 'code')`),
  ],
);

/** The text of a block (`key` is empty) or an entry. `session_id` is empty for text of every session. */
export const chatDocument = pgTable(
  "chat_document",
  {
    ownerId: ownerId(),
    blockId: text("block_id").notNull(),
    sessionId: text("session_id").notNull(),
    key: text("key").notNull(),
    version: integer("version").notNull(),
    title: text("title").notNull().default(""),
    description: text("description"),
    /** `null` once deleted; the versions stay. */
    content: text("content"),
    tsv: tsvector("tsv"),
    updatedAt: updatedAt(),
  },
  (table) => [
    primaryKey({ columns: [table.ownerId, table.blockId, table.sessionId, table.key] }),
    index("chat_document_of_session").on(table.ownerId, table.sessionId),
    index("chat_document_words").using("gin", table.ownerId, table.tsv),
    check("chat_document_key_size", sql`length(key) <= 200`),
  ],
);

export const chatDocumentVersion = pgTable(
  "chat_document_version",
  {
    ownerId: ownerId(),
    blockId: text("block_id").notNull(),
    sessionId: text("session_id").notNull(),
    key: text("key").notNull(),
    version: integer("version").notNull(),
    content: text("content"),
    author: text("author", { enum: ["person", "model", "system"] }).notNull(),
    writtenIn: text("written_in"),
    messageId: text("message_id"),
    proposalId: text("proposal_id"),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({
      columns: [table.ownerId, table.blockId, table.sessionId, table.key, table.version],
    }),
    foreignKey({
      name: "chat_document_version_of",
      columns: [table.ownerId, table.blockId, table.sessionId, table.key],
      foreignColumns: [
        chatDocument.ownerId,
        chatDocument.blockId,
        chatDocument.sessionId,
        chatDocument.key,
      ],
    }).onDelete("cascade"),
    index("chat_document_version_of_message")
      .on(table.ownerId, table.writtenIn, table.messageId)
      .where(sql`message_id is not null`),
    check("chat_document_version_author", sql`author in ('person', 'model', 'system')`),
  ],
);

/** Open or decided. Deleted with its session. */
export const chatProposal = pgTable(
  "chat_proposal",
  {
    ownerId: ownerId(),
    proposalId: text("proposal_id").notNull(),
    sessionId: text("session_id").notNull(),
    messageId: text("message_id"),
    blockId: text("block_id").notNull(),
    key: text("key"),
    title: text("title"),
    description: text("description"),
    action: text("action", { enum: ["replace", "append"] }).notNull(),
    content: text("content").notNull(),
    /** The version the model had seen. */
    baseVersion: integer("base_version"),
    status: text("status", { enum: ["open", "accepted", "declined"] })
      .notNull()
      .default("open"),
    version: integer("version"),
    /** Orders proposals without a clock. */
    moment: number("moment").notNull().default(sql`nextval('chat_moment')`),
    createdAt: createdAt(),
    decidedAt: moment("decided_at"),
  },
  (table) => [
    primaryKey({ columns: [table.ownerId, table.proposalId] }),
    foreignKey({
      name: "chat_proposal_session",
      columns: [table.ownerId, table.sessionId],
      foreignColumns: [chatSession.ownerId, chatSession.sessionId],
    }).onDelete("cascade"),
    index("chat_proposal_of_session").on(table.ownerId, table.sessionId, table.moment),
    index("chat_proposal_open").on(table.ownerId, table.moment).where(sql`status = 'open'`),
    check("chat_proposal_action", sql`action in ('replace', 'append')`),
    check("chat_proposal_status", sql`status in ('open', 'accepted', 'declined')`),
  ],
);

/** A running row with an expired lease belongs to a dead process. */
export const chatRun = pgTable(
  "chat_run",
  {
    ownerId: ownerId(),
    runId: text("run_id").notNull(),
    kind: text("kind", { enum: ["answer", "summary"] })
      .notNull()
      .default("answer"),
    sessionId: text("session_id").notNull(),
    /** Future id of the answer; for a summary the run's own id. */
    messageId: text("message_id").notNull(),
    /** The question; for a summary the end of its path. */
    parentId: text("parent_id").notNull(),
    model: text("model").notNull(),
    status: text("status", {
      enum: ["running", "complete", "stopped", "interrupted", "failed"],
    }).notNull(),
    leaseUntil: moment("lease_until").notNull(),
    stopRequested: boolean("stop_requested").notNull().default(false),
    /** The model's input, then usage and cost. */
    receipt: jsonColumn("receipt", anyObject),
    /** Range and options of a summary; `null` for an answer. */
    plan: jsonColumn("plan", anyObject),
    /** Why a summary failed; an answer's error is in its message. */
    error: text("error"),
    startedAt: timestamp("started_at", { withTimezone: true }).notNull().defaultNow(),
    finishedAt: moment("finished_at"),
  },
  (table) => [
    primaryKey({ columns: [table.ownerId, table.runId] }),
    unique("chat_run_message").on(table.ownerId, table.sessionId, table.messageId),
    foreignKey({
      name: "chat_run_session",
      columns: [table.ownerId, table.sessionId],
      foreignColumns: [chatSession.ownerId, chatSession.sessionId],
    }).onDelete("cascade"),
    index("chat_run_running").on(table.leaseUntil).where(sql`status = 'running'`),
    index("chat_run_summaries")
      .on(table.ownerId, table.sessionId, table.startedAt)
      .where(sql`kind = 'summary'`),
    check("chat_run_kind", sql`kind in ('answer', 'summary')`),
    check(
      "chat_run_status",
      sql`status in ('running', 'complete', 'stopped', 'interrupted', 'failed')`,
    ),
  ],
);

/** In order; deleted some time after the end of the run. */
export const chatStream = pgTable(
  "chat_stream",
  {
    ownerId: ownerId(),
    runId: text("run_id").notNull(),
    n: integer("n").notNull(),
    size: smallint("size").notNull(),
    delta: text("delta").notNull(),
  },
  (table) => [primaryKey({ columns: [table.ownerId, table.runId, table.n] })],
);

/**
 * One row per model call. It outlives its session and keeps the price of its time, so later changes never alter past
 * costs.
 */
export const chatUsage = pgTable(
  "chat_usage",
  {
    ownerId: ownerId(),
    usageId: text("usage_id").notNull(),
    kind: text("kind", { enum: ["answer", "summary", "title"] }).notNull(),
    sessionId: text("session_id").notNull(),
    model: text("model").notNull(),
    inputTokens: number("input_tokens").notNull(),
    cachedTokens: number("cached_tokens").notNull().default(0),
    outputTokens: number("output_tokens").notNull(),
    /** Dollars; `null` without a known price. */
    cost: doublePrecision("cost"),
    reported: boolean("reported").notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.ownerId, table.usageId] }),
    index("chat_usage_by_time").on(table.ownerId, table.createdAt),
    check("chat_usage_kind", sql`kind in ('answer', 'summary', 'title')`),
  ],
);
