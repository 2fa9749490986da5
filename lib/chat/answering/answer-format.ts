import { runInNewContext } from "node:vm";
import { CfWorkerJsonSchemaValidator } from "@modelcontextprotocol/client/validators/cf-worker";
import type { UIMessageChunk } from "ai";
import { isNestedTooDeeply } from "@/lib/text/json-depth";
import type { ProgramCall } from "./program-call";

export type JsonSchema = Readonly<Record<string, unknown>>;

export class WrongFormatError extends Error {
  override readonly name = "WrongFormatError";
}

/** Patterns and references may take forever, which stops the process for everyone. */
const longestMs = 250;
const longestWords = 300;

/** `null` for an answer whose last step has the format; steps before it may speak. */
export function formatProblem(
  format: ProgramCall["format"],
  chunks: readonly UIMessageChunk[],
): WrongFormatError | null {
  if (format.type === "text") return null;
  const text = lastText(chunks);
  const read = isNestedTooDeeply(text) ? undefined : parsed(text);
  if (read === undefined) return new WrongFormatError("The answer is not JSON.");
  if (format.type === "json_object") return null;
  const words = mismatch(format.schema, read.value);
  return words === null ? null : new WrongFormatError(sentence(format.name, words));
}

/** `null` for a schema that can be read. */
export function schemaProblem(schema: JsonSchema): string | null {
  if (isNestedTooDeeply(JSON.stringify(schema))) return "It is nested too deeply.";
  try {
    checked(schema, null);
    return null;
  } catch (error) {
    return wordsOf(error);
  }
}

function mismatch(schema: JsonSchema, value: unknown): string | null {
  try {
    return checked(schema, value);
  } catch (error) {
    return wordsOf(error);
  }
}

/**
 * Unlike Ajv, the validator makes no code of the schema, which a request brings. @throws for a schema that is
 * unreadable or too slow.
 */
function checked(schema: JsonSchema, value: unknown): string | null {
  const check = () => new CfWorkerJsonSchemaValidator().getValidator(schema)(value);
  const result: ReturnType<typeof check> = runInNewContext(
    "check()",
    { check },
    { timeout: longestMs },
  );
  return result.valid ? null : (result.errorMessage ?? "");
}

function sentence(name: string, words: string): string {
  return `The answer does not match the JSON schema “${name}”. ${words.slice(0, longestWords).toWellFormed()}`;
}

function wordsOf(error: unknown): string {
  if (error instanceof RangeError) return "It refers to itself without an end.";
  const message = error instanceof Error ? error.message : String(error);
  return message.slice(0, longestWords).toWellFormed();
}

function lastText(chunks: readonly UIMessageChunk[]): string {
  const step = chunks.slice(chunks.findLastIndex(({ type }) => type === "start-step") + 1);
  return step.map((chunk) => (chunk.type === "text-delta" ? chunk.delta : "")).join("");
}

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
