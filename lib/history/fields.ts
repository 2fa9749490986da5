import { z } from "zod";

// Exports differ between versions and accounts: a field that is missing or of another kind counts as absent.

export const text = z.string().catch("");
export const optionalText = z.string().nullish().catch(null);
export const flag = z.boolean().catch(false);
/** Looks into an object; anything else is empty. */
export const anything = z.record(z.string(), z.unknown()).catch({});
export const list = <Item extends z.ZodType>(item: Item) =>
  z
    .array(z.unknown())
    .catch([])
    .transform((items) =>
      items.flatMap((each): z.output<Item>[] => {
        const result = item.safeParse(each);
        return result.success ? [result.data] : [];
      }),
    );

/** Anything, also nothing. */
export const unknown = z.unknown().optional();

/** Seconds, milliseconds or a text. */
export const moment = unknown.transform((value): Date | null => {
  if (typeof value === "number" && Number.isFinite(value))
    return usable(new Date(value < 100_000_000_000 ? value * 1_000 : value));
  return typeof value === "string" && value !== "" ? usable(new Date(value)) : null;
});

function usable(date: Date): Date | null {
  return Number.isNaN(date.getTime()) ? null : date;
}

/** JSON where a text is JSON. */
export function parsedJson(given: unknown): unknown {
  if (typeof given !== "string") return given;
  try {
    return JSON.parse(given) as unknown;
  } catch {
    return given;
  }
}
