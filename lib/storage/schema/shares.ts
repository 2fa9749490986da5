import { sql } from "drizzle-orm";
import { check, foreignKey, index, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { z } from "zod";
import type { PersonId } from "@/lib/chat/core/person-in-space";
import {
  bytea,
  createdAt,
  jsonColumn,
  moment,
  number,
  ownerId,
  updatedAt,
} from "@/lib/postgres/storage";

const namedPeople = z.array(z.object({ personId: z.string(), email: z.string() }));

/** The chat may change or go; the page stays. */
export const chatShare = pgTable(
  "chat_share",
  {
    ownerId: ownerId(),
    shareId: text("share_id").notNull(),
    /** SHA-256 of the token in the link, which is random; a distributed database keeps nothing unique across owners. */
    tokenHash: text("token_hash").notNull(),
    /** AES-256-GCM envelope, for copying the link again. */
    token: text("token").notNull(),
    madeBy: text("made_by").notNull().$type<PersonId>(),
    sessionId: text("session_id").notNull(),
    leafId: text("leaf_id"),
    title: text("title").notNull(),
    shows: jsonColumn("shows", z.record(z.string(), z.boolean())).notNull(),
    audience: text("audience", { enum: ["anyone", "house", "people"] }).notNull(),
    people: jsonColumn("people", namedPeople).notNull().default([]),
    /** scrypt, with its salt. */
    password: text("password"),
    expiresAt: moment("expires_at"),
    /** Pieces of the edition before stay for readers who began with them. */
    edition: integer("edition").notNull().default(1),
    pageBytes: number("page_bytes").notNull(),
    copyBytes: number("copy_bytes").notNull(),
    takenDownAt: moment("taken_down_at"),
    views: number("views").notNull().default(0),
    lastViewedAt: moment("last_viewed_at"),
    reports: integer("reports").notNull().default(0),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    index("chat_share_token").on(table.tokenHash),
    primaryKey({ columns: [table.ownerId, table.shareId] }),
    index("chat_share_reported").on(table.reports).where(sql`reports > 0`),
    check("chat_share_audience", sql`audience in ('anyone', 'house', 'people')`),
  ],
);

export const chatSharePiece = pgTable(
  "chat_share_piece",
  {
    ownerId: ownerId(),
    shareId: text("share_id").notNull(),
    edition: integer("edition").notNull(),
    kind: text("kind", { enum: ["page", "copy"] }).notNull(),
    n: integer("n").notNull(),
    bytes: bytea("bytes").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.ownerId, table.shareId, table.edition, table.kind, table.n] }),
    foreignKey({
      name: "chat_share_piece_share",
      columns: [table.ownerId, table.shareId],
      foreignColumns: [chatShare.ownerId, chatShare.shareId],
    }).onDelete("cascade"),
    check("chat_share_piece_kind", sql`kind in ('page', 'copy')`),
  ],
);
