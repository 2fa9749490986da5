import { sql } from "drizzle-orm";
import { customType } from "drizzle-orm/pg-core";
import type { z } from "zod";
import { mapInSlices, storableText } from "../session/internal";

export { storableText };

/** JSON of `value` that Postgres stores: texts and keys as `storableText` makes them. */
export function storableJson(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => {
    if (typeof each === "string") return storableText(each);
    if (typeof each !== "object" || each === null || Array.isArray(each)) return each;
    const entries = Object.entries(each);
    if (entries.every(([key]) => storableText(key) === key)) return each;
    return Object.fromEntries(entries.map(([key, inner]) => [storableText(key), inner]));
  });
}

/** The nearest whole number from 0 to 2^53, 0 for none. */
export function storableCount(value: number): number {
  return Math.min(Number.MAX_SAFE_INTEGER, Math.max(0, Math.round(value))) || 0;
}

const mostDollars = 1e12;

/** `value`, or `null` where it is no cost in dollars. */
export function storableCost(value: number | null): number | null {
  return value !== null && value >= 0 && value <= mostDollars ? value : null;
}

const togetherInList = 100;

/** Long lists are taken in pieces. */
export async function storableJsonInSlices(value: object): Promise<string> {
  const pieces: string[] = [];
  await addJson(value, pieces);
  return pieces.join("");
}

async function addJson(value: object, pieces: string[]): Promise<void> {
  if (Array.isArray(value)) {
    const starts = Array.from({ length: Math.ceil(value.length / togetherInList) });
    const lists = await mapInSlices(starts, (_, n) =>
      storableJson(value.slice(n * togetherInList, (n + 1) * togetherInList)).slice(1, -1),
    );
    pieces.push("[", lists.join(), "]");
    return;
  }
  let before = "{";
  for (const [key, field] of Object.entries(value)) {
    if (field === undefined) continue;
    pieces.push(before, storableJson(key), ":");
    const isLong = typeof field === "object" && field !== null && !("toJSON" in field);
    if (isLong) await addJson(field, pieces);
    else pieces.push(storableJson(field));
    before = ",";
  }
  pieces.push(before === "{" ? "{}" : "}");
}

/** A `jsonb` column whose values `schema` parses on read. The driver would encode the text of Drizzle's own again. */
export function jsonColumn<Schema extends z.ZodType>(name: string, schema: Schema) {
  const column = customType<{ data: z.output<Schema>; driverData: unknown }>({
    dataType: () => "jsonb",
    toDriver: (value) => sql`${storableJson(value)}::text::jsonb`,
    fromDriver: (value) => schema.parse(value),
  });
  return column(name);
}
