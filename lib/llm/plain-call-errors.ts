import {
  InvalidToolInputError,
  type ToolCallRepairFunction,
  type ToolSet,
  TypeValidationError,
} from "ai";
import { z } from "zod";

/** The SDK's error for an impossible call holds the input and a list of schema issues. */
export const plainCallErrors: ToolCallRepairFunction<ToolSet> = async ({
  error,
  toolCall: { toolName },
  tools,
}) => {
  // The SDK prints name and message after this.
  error.name = "";
  error.message = InvalidToolInputError.isInstance(error)
    ? `${toolName} was not called: ${wrongInput(error.cause)}.`
    : unknownTool(toolName, Object.keys(tools));
  return null;
};

function unknownTool(name: string, known: readonly string[]): string {
  const others =
    known.length === 0 ? "" : ` The tools are: ${firstOf(known, mostTools).join(", ")}.`;
  return `There is no tool called ${name}.${others}`;
}

const mostIssues = 5;
const mostTools = 30;
const mostValues = 20;

/** Hundreds of names would fill a model's context. */
function firstOf(words: readonly string[], most: number): readonly string[] {
  if (words.length <= most) return words;
  return [...words.slice(0, most), `and ${words.length - most} more`];
}

function wrongInput(cause: unknown): string {
  if (!TypeValidationError.isInstance(cause)) return "its input is not valid JSON";
  const { issues } = found.safeParse(cause.cause).data ?? { issues: [] };
  const said = issues.slice(0, mostIssues).map((issue) => `${placeOf(issue)} ${wrongIn(issue)}`);
  return said.length === 0 ? "its input does not fit" : said.join(", ");
}

const issueSchema = z.looseObject({
  code: z.string().optional(),
  path: z.array(z.union([z.string(), z.number()])).catch([]),
  message: z.string().catch(""),
  expected: z.string().optional().catch(undefined),
  values: z.array(z.unknown()).catch([]),
  keys: z.array(z.string()).catch([]),
  origin: z.string().optional().catch(undefined),
  minimum: z.number().optional().catch(undefined),
  maximum: z.number().optional().catch(undefined),
  inclusive: z.boolean().catch(true),
});
type CallIssue = z.output<typeof issueSchema>;
const found = z.object({ issues: z.array(issueSchema) });

function placeOf({ path, code, keys }: CallIssue): string {
  const names = code === "unrecognized_keys" ? keys.map((key) => [...path, key]) : [path];
  const said = names.map((name) => (name.length === 0 ? "its input" : `“${name.join(".")}”`));
  return firstOf(said, mostValues).join(", ");
}

function wrongIn(issue: CallIssue): string {
  const { code, message, expected, values } = issue;
  switch (code) {
    case "invalid_type":
      if (message.endsWith("received undefined")) return "is missing";
      return expected === undefined ? "does not fit" : `must be ${kinds[expected] ?? expected}`;
    case "invalid_value":
      return `must be ${valuesOf(values)}`;
    case "too_small":
      return tooSmall(issue);
    case "too_big":
      return tooLarge(issue);
    case "invalid_format":
      return "has the wrong format";
    case "unrecognized_keys":
      return "cannot be given";
    default:
      return "does not fit";
  }
}

function valuesOf(values: readonly unknown[]): string {
  const words = values.map((value) => JSON.stringify(value));
  if (words.length <= mostValues) return words.join(" or ");
  return `one of ${firstOf(words, mostValues).join(", ")}`;
}

function tooSmall({ minimum, inclusive, origin }: CallIssue): string {
  if (minimum === undefined) return "is too small";
  return `${inclusive ? "needs at least" : "must be more than"} ${minimum}${of(origin)}`;
}

function tooLarge({ maximum, inclusive, origin }: CallIssue): string {
  if (maximum === undefined) return "is too large";
  return `${inclusive ? "takes at most" : "must be less than"} ${maximum}${of(origin)}`;
}

const kinds: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

function of(origin: string | undefined): string {
  if (origin === "string") return " characters";
  return origin === "array" ? " items" : "";
}
