import { sql } from "drizzle-orm";
import { index, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { createdAt, number, ownerId, roles, tsvector } from "./columns";

/**
 * Searchable messages and summaries. `drizzle/complete-init.mjs` partitions it by hash of the owner, which Drizzle
 * cannot express.
 */
export const chatSearch = pgTable(
  "chat_search",
  {
    ownerId: ownerId(),
    /** Microseconds since 1970 at which the row was written. */
    seq: number("seq")
      .notNull()
      .default(sql`(extract(epoch from clock_timestamp()) * 1000000)::bigint`),
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
    index("chat_search_words").using("gin", table.ownerId, table.tsv),
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
