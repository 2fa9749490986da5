import { z } from "zod";

interface Endpoint<Answer, Query extends z.ZodType, Body extends z.ZodType> {
  readonly query: Query;
  readonly body: Body;
  readonly status: number;
  /** A POST that creates nothing, or only what its own ids and bytes name: repeating it changes nothing. */
  readonly repeats: boolean;
  readonly answer?: Answer;
}

const nothing = z.undefined();

export function endpoint<Answer>() {
  return <Query extends z.ZodType = typeof noQuery, Body extends z.ZodType = typeof nothing>({
    query,
    body,
    status = 200,
    repeats = false,
  }: {
    query?: Query;
    body?: Body;
    status?: number;
    repeats?: boolean;
  } = {}): Endpoint<Answer, Query, Body> => ({
    query: (query ?? noQuery) as Query,
    body: (body ?? nothing) as Body,
    status,
    repeats,
  });
}

const noQuery = z.object({});
export const text = z
  .string()
  .optional()
  .transform((value) => value || undefined);
export const required = z.string().min(1, "must be given");
export const number = z.preprocess(
  (value) => (value === "" ? undefined : value),
  z.coerce.number<string | number>("must be a number").finite("must be a number").optional(),
);
export const count = (least: number, most: number, preset: number) =>
  number.transform((value) => Math.min(most, Math.max(least, Math.trunc(value ?? preset))));
export const version = number.pipe(
  z.int("must be a whole number").min(0, "must be 0 or more").optional(),
);
export const flag = z
  .enum(["0", "1"], "must be 0 or 1")
  .optional()
  .transform((value) => (value === undefined ? undefined : value === "1"));

export function jsonOf<Schema extends z.ZodType>(schema: Schema) {
  const json = required.transform((value, context) => {
    try {
      return JSON.parse(value) as unknown;
    } catch {
      context.addIssue({ code: "custom", message: "must be JSON" });
      return z.NEVER;
    }
  });
  return json.pipe(schema);
}

export interface Ok {
  ok: true;
}
