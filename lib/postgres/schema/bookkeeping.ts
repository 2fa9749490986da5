import { boolean, integer, pgSchema, text } from "drizzle-orm/pg-core";
import { z } from "zod";
import { jsonColumn } from "../storable";
import { moment } from "./columns";

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

/** One row: the latest backup of all processes, by the database's clock. Not part of a backup. */
export const backupAttempt = bookkeeping.table("backup_attempt", {
  id: integer("id").primaryKey(),
  startedAt: moment("started_at").notNull(),
  /** `null` once ended; in the past when its process died. */
  leaseUntil: moment("lease_until"),
  succeededAt: moment("succeeded_at"),
  failedAt: moment("failed_at"),
  failure: text("failure"),
});
