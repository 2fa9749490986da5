import { sql } from "drizzle-orm";
import { customType } from "drizzle-orm/pg-core";
import type { z } from "zod";
import { storableJson } from "./storable";

/**
 * A `jsonb` column whose values are parsed with `schema` on read. Drizzle's own passes JSON as text, which the driver
 * would encode again.
 */
export function jsonColumn<Schema extends z.ZodType>(name: string, schema: Schema) {
  const column = customType<{ data: z.output<Schema>; driverData: unknown }>({
    dataType: () => "jsonb",
    toDriver: (value) => sql`${storableJson(value)}::text::jsonb`,
    fromDriver: (value) => schema.parse(value),
  });
  return column(name);
}
