import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  timestamp,
} from "drizzle-orm/pg-core";
import { jsonColumn } from "../storable";
import { bytea, createdAt, lenientObject, number, ownerId, tsvector } from "./columns";

/** Files by the hash of their bytes. Messages name them as `grove-file:<sha256>`, which keeps them. */
export const chatFile = pgTable(
  "chat_file",
  {
    ownerId: ownerId(),
    sha256: text("sha256").notNull(),
    /** Size in bytes. */
    size: number("size").notNull(),
    mediaType: text("media_type").notNull(),
    /** Pages, size of an image, tokens, why it cannot be read. */
    facts: jsonColumn("facts", lenientObject).notNull().default({}),
    /** Name in the bucket; `null` when the bytes are in `chat_file_chunk`. */
    object: text("object"),
    /** False while its bytes arrive. */
    complete: boolean("complete").notNull().default(false),
    touchedAt: timestamp("touched_at", { withTimezone: true }).notNull().defaultNow(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.ownerId, table.sha256] }),
    index("chat_file_touched").on(table.touchedAt),
    check("chat_file_sha256", sql`sha256 ~ '^[0-9a-f]{64}$'`),
  ],
);

export const chatFileChunk = pgTable(
  "chat_file_chunk",
  {
    ownerId: ownerId(),
    sha256: text("sha256").notNull(),
    n: integer("n").notNull(),
    bytes: bytea("bytes").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.ownerId, table.sha256, table.n] }),
    foreignKey({
      name: "chat_file_chunk_file",
      columns: [table.ownerId, table.sha256],
      foreignColumns: [chatFile.ownerId, chatFile.sha256],
    }).onDelete("cascade"),
  ],
);

/** Text of a file by page, from 1; a file without pages has one. */
export const chatFilePage = pgTable(
  "chat_file_page",
  {
    ownerId: ownerId(),
    sha256: text("sha256").notNull(),
    page: integer("page").notNull(),
    title: text("title").notNull().default(""),
    text: text("text").notNull(),
    tsv: tsvector("tsv").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.ownerId, table.sha256, table.page] }),
    foreignKey({
      name: "chat_file_page_file",
      columns: [table.ownerId, table.sha256],
      foreignColumns: [chatFile.ownerId, chatFile.sha256],
    }).onDelete("cascade"),
    index("chat_file_page_words").using("gin", table.ownerId, table.tsv),
  ],
);
