import { z } from "zod";

// Exports differ between versions: an invalid field counts as absent, its words as a reported loss.

export const unknown = z.unknown().optional();

let unread = 0;

export function countingUnread<Result>(read: () => Result): { result: Result; unread: number } {
  unread = 0;
  const result = read();
  return { result, unread };
}

export function orElse<Schema extends z.ZodType>(schema: Schema, absent: z.output<Schema>) {
  return unknown.transform((given): z.output<Schema> => {
    const result = schema.safeParse(given);
    if (result.success) return result.data;
    if (holdsWords(given)) unread++;
    return absent;
  });
}

/** Exported values may nest deeper than the stack. */
function holdsWords(value: unknown): boolean {
  const waiting = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next === "string" && next.trim() !== "") return true;
    if (typeof next === "object" && next !== null)
      for (const inner of Object.values(next)) waiting.push(inner);
  }
  return false;
}

/** Some products number their messages. */
export const text = orElse(z.union([z.string(), z.number().transform(String)]), "");
export const optionalText = orElse(z.string().nullish(), null);
export const flag = z.boolean().catch(false);
export const anything = orElse(z.record(z.string(), z.unknown()), {});
export const list = <Item extends z.ZodType>(item: Item) =>
  orElse(z.array(z.unknown()), []).transform((items) =>
    items.flatMap((each): z.output<Item>[] => {
      const result = item.safeParse(each);
      if (!result.success && holdsWords(each)) unread++;
      return result.success ? [result.data] : [];
    }),
  );

/** `null` for a time at which nobody could have chatted. */
export const moment = unknown.transform(momentOf);

export function momentOf(value: unknown): Date | null {
  if (typeof value === "string" && /^\d+(\.\d+)?$/.test(value)) return momentOf(Number(value));
  if (typeof value === "number") return usable(new Date(milliseconds(value)));
  return typeof value === "string" && value !== "" ? usable(new Date(value)) : null;
}

/** Some products count in seconds, some in micro- or nanoseconds. */
function milliseconds(value: number): number {
  if (value < 100_000_000_000) return value * 1_000;
  if (value < 100_000_000_000_000) return value;
  return value < 100_000_000_000_000_000 ? value / 1_000 : value / 1_000_000;
}

function usable(date: Date): Date | null {
  const isUsable = date.getTime() > 0 && date.getTime() < Date.UTC(2200, 0);
  return isUsable ? date : null;
}

export function parsedJson(given: unknown): unknown {
  if (typeof given !== "string") return given;
  try {
    return JSON.parse(given) as unknown;
  } catch {
    return given;
  }
}
