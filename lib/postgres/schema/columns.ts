import { bigint, customType, text, timestamp } from "drizzle-orm/pg-core";
import { z } from "zod";

/**
 * Every key leads with `owner_id`: the hash-partition key of the search table, and the distribution column of several
 * servers. Foreign keys carry the owner, so a row can never refer to another owner's.
 */
export const tsvector = customType<{ data: string }>({ dataType: () => "tsvector" });
/** A column of bytes. */
export const bytea = customType<{ data: Uint8Array }>({ dataType: () => "bytea" });

/** The column `owner_id`, which every key begins with. */
export const ownerId = () => text("owner_id").notNull();
/** The column `created_at`, by default the time of the statement. */
export const createdAt = () =>
  timestamp("created_at", { withTimezone: true }).notNull().defaultNow();
/** The column `updated_at`, by default the time of the statement. */
export const updatedAt = () =>
  timestamp("updated_at", { withTimezone: true }).notNull().defaultNow();
/** A column of a time with its zone. */
export const moment = (name: string) => timestamp(name, { withTimezone: true });
/** A column of whole numbers up to 2^53. */
export const number = (name: string) => bigint(name, { mode: "number" });
/** Any JSON object. */
export const anyObject = z.record(z.string(), z.unknown());
/** A row that is no object counts as an empty one, so that it takes no other row away. */
export const lenientObject = anyObject.catch({});
export const roles = ["system", "user", "assistant"] as const;
export const skillEvent = z.object({
  label: z.string(),
  key: z.string(),
  action: z.enum(["load", "unload"]),
});
