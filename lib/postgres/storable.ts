import { sql } from "drizzle-orm";
import { customType } from "drizzle-orm/pg-core";
import type { z } from "zod";
import { mapInSlices, storableText } from "@/lib/session/internal";

export function storableJson(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => {
    if (typeof each === "string") return storableText(each);
    if (typeof each !== "object" || each === null || Array.isArray(each)) return each;
    const entries = Object.entries(each);
    if (entries.every(([key]) => storableText(key) === key)) return each;
    return Object.fromEntries(entries.map(([key, inner]) => [storableText(key), inner]));
  });
}

/** Takes long lists element by element, with pauses for other work. */
export async function storableJsonInSlices(value: object): Promise<string> {
  if (Array.isArray(value))
    return `[${(await mapInSlices(value, (each) => storableJson(each ?? null))).join()}]`;
  const fields: string[] = [];
  for (const [key, field] of Object.entries(value)) {
    if (field === undefined) continue;
    const isLong = typeof field === "object" && field !== null && !("toJSON" in field);
    const json = isLong ? await storableJsonInSlices(field) : storableJson(field);
    fields.push(`${storableJson(key)}:${json}`);
  }
  return `{${fields.join()}}`;
}

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
