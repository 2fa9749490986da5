import { bigint, customType, text, timestamp } from "drizzle-orm/pg-core";
import { z } from "zod";

/**
 * Every key leads with `owner_id`: the hash-partition key of the search table, and the distribution column of several
 * servers. Foreign keys carry the owner, so a row can never refer to another owner's.
 */
export const tsvector = customType<{ data: string }>({ dataType: () => "tsvector" });
export const bytea = customType<{ data: Uint8Array }>({ dataType: () => "bytea" });

export const ownerId = () => text("owner_id").notNull();
export const createdAt = () =>
  timestamp("created_at", { withTimezone: true }).notNull().defaultNow();
export const updatedAt = () =>
  timestamp("updated_at", { withTimezone: true }).notNull().defaultNow();
export const moment = (name: string) => timestamp(name, { withTimezone: true });
export const number = (name: string) => bigint(name, { mode: "number" });
export const anyObject = z.record(z.string(), z.unknown());
/** A row that is no object counts as an empty one, so that it takes no other row away. */
export const lenientObject = anyObject.catch({});
export const roles = ["system", "user", "assistant"] as const;
export const skillEvent = z.object({
  label: z.string(),
  key: z.string(),
  action: z.enum(["load", "unload"]),
});
