import { boolean, integer, pgSchema, text } from "drizzle-orm/pg-core";
import { z } from "zod";
import { jsonColumn } from "@/lib/postgres/storable";

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
