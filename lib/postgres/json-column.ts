import { sql } from "drizzle-orm";
import { customType } from "drizzle-orm/pg-core";
import type { z } from "zod";
import { storableJson } from "./storable";

/**
 * A `jsonb` column whose values pass `schema` when they are read.
 *
 * Drizzle's own hands JSON over as text, which the driver would turn into a JSON string once more.
 */
export function jsonColumn<Schema extends z.ZodType>(name: string, schema: Schema) {
  const column = customType<{ data: z.output<Schema>; driverData: unknown }>({
    dataType: () => "jsonb",
    toDriver: (value) => sql`${storableJson(value)}::text::jsonb`,
    fromDriver: (value) => schema.parse(value),
  });
  return column(name);
}
