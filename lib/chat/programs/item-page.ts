import { z } from "zod";
import { programError } from "./program-error";
import type { JsonRecord } from "./response-writer";

const pageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  order: z.enum(["asc", "desc"]).default("desc"),
  after: z.string().optional(),
});

/** One page of a list, `items` oldest first. @throws {ProgramError} */
export function pageOf(items: readonly JsonRecord[], query: URLSearchParams): JsonRecord {
  const { limit, order, after } = readQuery(query, pageQuery);
  const ordered = order === "asc" ? items : items.toReversed();
  const start = after === undefined ? 0 : ordered.findIndex(({ id }) => id === after) + 1;
  if (after !== undefined && start === 0)
    throw programError("not-found", `No item has the id “${after}”.`, "after");
  const data = ordered.slice(start, start + limit);
  return {
    object: "list",
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: start + limit < ordered.length,
  };
}

/** @throws {ProgramError} naming the parameter. */
export function readQuery<Schema extends z.ZodType>(
  query: URLSearchParams,
  schema: Schema,
): z.output<Schema> {
  const read = schema.safeParse(Object.fromEntries(query));
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const param = issue?.path.join(".") ?? "";
  throw programError("invalid", `“${param}” is invalid: ${issue?.message}.`, param);
}
