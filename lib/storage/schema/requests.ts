import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { moment, ownerId } from "@/lib/postgres/storage";

/** Rows are kept for a day, and never exported. */
export const chatRequest = pgTable(
  "chat_request",
  {
    ownerId: ownerId(),
    /** A hash of who asked, and of the name they gave the request. */
    requestId: text("request_id").notNull(),
    /** Another process goes on with this id after a crash. */
    madeId: text("made_id").notNull(),
    /** A keyed hash: a body may hold a password. */
    digest: text("digest").notNull(),
    /** `begun`: the thing it makes can be found by that id. */
    state: text("state", { enum: ["running", "begun", "done"] }).notNull(),
    claim: text("claim").notNull(),
    claimedUntil: moment("claimed_until").notNull(),
    status: integer("status"),
    /** AES-256-GCM envelope; `null` for an answer that is not kept. */
    answer: text("answer"),
    expiresAt: moment("expires_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.ownerId, table.requestId] }),
    index("chat_request_expiry").on(table.expiresAt),
    check("chat_request_state", sql`state in ('running', 'begun', 'done')`),
  ],
);
