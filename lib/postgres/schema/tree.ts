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
import { z } from "zod";
import { jsonColumn } from "../storable";
import {
  anyObject,
  createdAt,
  moment,
  number,
  ownerId,
  roles,
  skillEvent,
  updatedAt,
} from "./columns";

/** One row for each session; deleted ones have a `deletedAt`. */
export const chatSession = pgTable(
  "chat_session",
  {
    ownerId: ownerId(),
    sessionId: text("session_id").notNull(),
    title: text("title").notNull().default(""),
    /** A `null` position is the branch's head. */
    activeBranch: number("active_branch"),
    activePos: integer("active_pos"),
    /**
     * Counts what changes the tree, under the lock of this row: appends, moves, summaries, skill events. A branch's
     * highest tells its last used leaf. A fork counts on from its source, so what it borrows is older.
     */
    touches: number("touches").notNull().default(0),
    messageCount: integer("message_count").notNull().default(0),
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
    /** Prompt order, which the keys of a jsonb object would lose. */
    frozenVersions: jsonColumn("frozen_versions", z.array(z.tuple([z.string(), z.number()]))),
    pinnedAt: moment("pinned_at"),
    archivedAt: moment("archived_at"),
    expiresAfterMs: number("expires_after_ms"),
    expiresAt: moment("expires_at"),
    deletedAt: moment("deleted_at"),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    /** An index on `updated_at` would make every append write all indexes of the row. */
    updatedDay: timestamp("updated_day", { withTimezone: true }).generatedAlwaysAs(
      sql`date_bin('1 day', updated_at, '2000-01-01 00:00:00+00')`,
    ),
  },
  (table) => [
    primaryKey({ columns: [table.ownerId, table.sessionId] }),
    index("chat_session_list")
      .on(table.ownerId, sql`(pinned_at is not null) desc`, sql`updated_day desc`)
      .where(sql`deleted_at is null and archived_at is null`),
    index("chat_session_own_list")
      .on(table.ownerId, sql`(pinned_at is not null) desc`, sql`updated_day desc`)
      .where(
        sql`deleted_at is null and archived_at is null and ((metadata -> 'program' ->> 'keyId') is null or pinned_at is not null or parent_session_id is not null)`,
      ),
    index("chat_session_program_list")
      .on(
        table.ownerId,
        sql`(metadata -> 'program' ->> 'keyId')`,
        sql`(pinned_at is not null) desc`,
        sql`updated_day desc`,
      )
      .where(
        sql`deleted_at is null and archived_at is null and (metadata -> 'program' ->> 'keyId') is not null`,
      ),
    index("chat_session_logs")
      .on(table.ownerId)
      .where(
        sql`(metadata -> 'program' ->> 'log') = 'true' and pinned_at is null and parent_session_id is null`,
      ),
    index("chat_session_parent")
      .on(table.ownerId, table.parentSessionId)
      .where(sql`parent_session_id is not null`),
    index("chat_session_expiry").on(table.expiresAt).where(sql`expires_at is not null`),
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
    /** Hides changes of a borrowed parent that its session counted later; `null` for a parent of this session. */
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
 * Checks cost 3% of an append each, so the role alone has one. `assertStorable`, `storableLabel` and the records of an
 * import refuse others before.
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
    /** Counts appends, including its source's before a fork. */
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
    // Files in use, however a message came: by an append, a copy for a fork, an import.
    index("chat_message_files")
      .on(table.ownerId, table.sessionId)
      .where(sql`content like '%grove-file:%'`),
  ],
);

/**
 * Deletions by the id their client chose, so that a repeated request deletes nothing again. Removed rows say whether
 * one is in force: messages by its id, a session or block by its time, an entry by its version.
 */
export const chatDeletion = pgTable(
  "chat_deletion",
  {
    ownerId: ownerId(),
    deletionId: text("deletion_id").notNull(),
    sessionId: text("session_id").notNull(),
    leafBefore: text("leaf_before"),
    leafAfter: text("leaf_after"),
    createdAt: createdAt(),
    kind: text("kind", { enum: ["messages", "session", "block", "entry"] })
      .notNull()
      .default("messages"),
    blockId: text("block_id").notNull().default(""),
    /** Requested ids of messages or the key of an entry, sorted. */
    named: text("named").array().notNull().default(sql`'{}'::text[]`),
    /** Ids of messages, or keys of entries: the named one, then its files. */
    removed: text("removed").array().notNull().default(sql`'{}'::text[]`),
    /** Each removed entry's version without content. */
    versions: integer("versions").array().notNull().default(sql`'{}'::integer[]`),
    /** The earlier deletion of the same rows, when there was nothing left to delete. */
    sameAs: text("same_as"),
  },
  (table) => [
    primaryKey({ columns: [table.ownerId, table.deletionId] }),
    index("chat_deletion_newest").on(table.ownerId, table.createdAt),
    check("chat_deletion_kind", sql`kind in ('messages', 'session', 'block', 'entry')`),
  ],
);

/** A summary of positions `from_pos` to `to_pos` on every path through `to_pos` of the branch. */
export const chatCompaction = pgTable(
  "chat_compaction",
  {
    ownerId: ownerId(),
    compactionId: number("compaction_id").notNull(),
    /** Edits and undo keep it. */
    madeMoment: number("made_moment").notNull(),
    branchId: number("branch_id").notNull(),
    sessionId: text("session_id").notNull(),
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
    eventId: number("event_id").notNull(),
    /** Orders events of one message that were written together. */
    n: smallint("n").notNull().default(0),
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
    primaryKey({ columns: [table.ownerId, table.branchId, table.pos, table.eventId, table.n] }),
    foreignKey({
      name: "chat_skill_event_branch",
      columns: [table.ownerId, table.branchId],
      foreignColumns: [chatBranch.ownerId, chatBranch.branchId],
    }),
    check("chat_skill_event_action", sql`action in ('load', 'unload')`),
  ],
);
