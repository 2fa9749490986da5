import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  doublePrecision,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  unique,
} from "drizzle-orm/pg-core";
import { jsonColumn } from "../storable";
import { anyObject, createdAt, lenientObject, moment, number, ownerId, updatedAt } from "./columns";
import { chatSession } from "./tree";

/** One row for each owner, with settings. */
export const chatOwner = pgTable("chat_owner", {
  ownerId: text("owner_id").primaryKey(),
  settings: jsonColumn("settings", lenientObject).notNull().default({}),
  wordsSeq: number("words_seq").notNull().default(0),
  createdAt: createdAt(),
});

/** Owners whose data is being deleted, to whom no rows are added meanwhile. */
export const chatClearing = pgTable(
  "chat_clearing",
  {
    ownerId: text("owner_id").primaryKey(),
    kind: text("kind", { enum: ["data", "account"] }).notNull(),
    startedAt: moment("started_at").notNull().defaultNow(),
    /** Another process goes on when that was long ago. */
    renewedAt: moment("renewed_at").notNull().defaultNow(),
    /** The account is gone, and instead of the owner's id there is its MD5: nothing is stored under that id again. */
    endedAt: moment("ended_at"),
    stopRequested: boolean("stop_requested").notNull().default(false),
  },
  () => [check("chat_clearing_kind", sql`kind in ('data', 'account')`)],
);

/** Encrypted keys of an owner. */
export const chatSecret = pgTable(
  "chat_secret",
  {
    ownerId: ownerId(),
    name: text("name").notNull(),
    /** Public: provider, address, last characters of the key. */
    description: jsonColumn("description", lenientObject).notNull(),
    /** AES-256-GCM envelope; `null` when no key is stored. */
    sealed: text("sealed"),
    updatedAt: updatedAt(),
  },
  (table) => [primaryKey({ columns: [table.ownerId, table.name] })],
);

/** Keys of programs. Only a hash is stored: 256 random bits need no slow one. */
export const chatKey = pgTable(
  "chat_key",
  {
    ownerId: ownerId(),
    keyId: text("key_id").notNull(),
    name: text("name").notNull(),
    hash: text("hash").notNull(),
    hint: text("hint").notNull(),
    scopes: jsonColumn("scopes", anyObject).notNull(),
    lastUsedAt: moment("last_used_at"),
    revokedAt: moment("revoked_at"),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.ownerId, table.keyId] }),
    index("chat_key_hash").on(table.hash),
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
      enum: ["running", "paused", "complete", "stopped", "interrupted", "failed"],
    }).notNull(),
    leaseUntil: moment("lease_until").notNull(),
    stopRequested: boolean("stop_requested").notNull().default(false),
    fence: integer("fence").notNull().default(0),
    /** The model's input, then usage and cost. */
    receipt: jsonColumn("receipt", anyObject),
    /** Range and options of a summary, choices of an answer; `null` for an answer of version 0.2. */
    plan: jsonColumn("plan", anyObject),
    /** Why a summary failed; an answer's error is in its message. */
    error: text("error"),
    startedAt: timestamp("started_at", { withTimezone: true }).notNull().defaultNow(),
    finishedAt: moment("finished_at"),
    request: jsonColumn("request", anyObject),
    keyId: text("key_id"),
    /** Calls that wait or waited for the person; `null` for most. */
    pause: jsonColumn("pause", anyObject),
    /** Questions that a server asks during the run, by id; `null`: none. */
    questions: jsonColumn("questions", anyObject),
    unread: boolean("unread").notNull().default(false),
    reserved: doublePrecision("reserved"),
    /** The person who asks; `null`: that of the space. No import writes it. */
    personId: text("person_id"),
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
    index("chat_run_marks")
      .on(table.ownerId, table.sessionId)
      .where(sql`status in ('running', 'paused') or unread`),
    check("chat_run_kind", sql`kind in ('answer', 'summary')`),
    check(
      "chat_run_status",
      sql`status in ('running', 'paused', 'complete', 'stopped', 'interrupted', 'failed')`,
    ),
  ],
);

/**
 * Tools that a person allowed for a chat, each as it described itself. Only the person's own decision writes here: no
 * import, export, fork or metadata.
 */
export const chatConsent = pgTable(
  "chat_consent",
  {
    ownerId: ownerId(),
    sessionId: text("session_id").notNull(),
    tool: text("tool").notNull(),
    version: text("version").notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.ownerId, table.sessionId, table.tool, table.version] }),
    foreignKey({
      name: "chat_consent_session",
      columns: [table.ownerId, table.sessionId],
      foreignColumns: [chatSession.ownerId, chatSession.sessionId],
    }).onDelete("cascade"),
  ],
);

/** Chunks of answers that are being written. */
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

/** One row per model call. It outlives its session and keeps the price of its time. */
export const chatUsage = pgTable(
  "chat_usage",
  {
    ownerId: ownerId(),
    usageId: text("usage_id").notNull(),
    kind: text("kind", { enum: ["answer", "summary", "title", "embedding"] }).notNull(),
    sessionId: text("session_id").notNull(),
    model: text("model").notNull(),
    inputTokens: number("input_tokens").notNull(),
    cachedTokens: number("cached_tokens").notNull().default(0),
    outputTokens: number("output_tokens").notNull(),
    cost: doublePrecision("cost"),
    charge: doublePrecision("charge"),
    reported: boolean("reported").notNull(),
    createdAt: createdAt(),
    /** The program that caused the call; outlives its key. */
    keyId: text("key_id"),
    /** The person who pays; `null`: that of the space. No import writes it. */
    personId: text("person_id"),
    spaceId: text("space_id"),
    /** Set while the row only reserves what a running answer of a project may cost. */
    reservedUntil: moment("reserved_until"),
  },
  (table) => [
    primaryKey({ columns: [table.ownerId, table.usageId] }),
    index("chat_usage_by_time").on(table.ownerId, table.createdAt),
    index("chat_usage_by_key")
      .on(table.ownerId, table.keyId, table.createdAt)
      .where(sql`key_id is not null`),
    index("chat_usage_reserved").on(table.reservedUntil).where(sql`reserved_until is not null`),
    check("chat_usage_kind", sql`kind in ('answer', 'summary', 'title', 'embedding')`),
  ],
);
