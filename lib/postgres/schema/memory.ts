import { sql } from "drizzle-orm";
import {
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { createdAt, moment, number, ownerId, tsvector, updatedAt } from "./columns";
import { chatSession } from "./tree";

/**
 * `session_id` is empty for a block of every session; scope "session" holds another text in each. A fork keeps the ids
 * of blocks, so that its messages still name them.
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
    /** Counted within the owner or session: `nextBlockMoment`. Two of one moment were made at once. */
    moment: number("moment").notNull().default(0),
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

/** `key` is empty for a block's text, `session_id` for text of every session. */
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
    author: text("author", { enum: ["person", "model", "system", "program"] }).notNull(),
    writtenIn: text("written_in"),
    messageId: text("message_id"),
    proposalId: text("proposal_id"),
    createdAt: createdAt(),
    program: text("program"),
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
    check("chat_document_version_author", sql`author in ('person', 'model', 'system', 'program')`),
  ],
);

/** Open or decided. Deleted with its session. */
export const chatProposal = pgTable(
  "chat_proposal",
  {
    ownerId: ownerId(),
    proposalId: text("proposal_id").notNull(),
    /** `null` for a program's proposal. */
    sessionId: text("session_id"),
    messageId: text("message_id"),
    blockId: text("block_id").notNull(),
    key: text("key"),
    title: text("title"),
    description: text("description"),
    action: text("action", { enum: ["replace", "append"] }).notNull(),
    content: text("content").notNull(),
    baseVersion: integer("base_version"),
    status: text("status", { enum: ["open", "accepted", "declined"] })
      .notNull()
      .default("open"),
    version: integer("version"),
    moment: number("moment").notNull().default(0),
    createdAt: createdAt(),
    decidedAt: moment("decided_at"),
    program: text("program"),
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
