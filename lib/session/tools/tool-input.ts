import type { FlexibleSchema } from "ai";
import { messageOf } from "../context/context-block";

interface TextSchema {
  readonly type: "string";
  readonly description: string;
  readonly enum?: readonly string[];
  readonly minLength?: number;
  readonly maxLength?: number;
}

export interface ObjectSchema {
  readonly type: "object";
  readonly description?: string;
  readonly properties: Readonly<Record<string, TextSchema | ObjectSchema>>;
  readonly required: readonly string[];
}

interface ToolInputOptions {
  readonly offered: ObjectSchema;
  readonly accepted?: ObjectSchema | undefined;
  readonly prepare?: ((value: unknown) => unknown) | undefined;
}

/**
 * Drops unknown properties. Does without zod or `ai`, which take longer to import than the whole library.
 *
 * @see https://standardschema.dev/json-schema
 */
export function toolInput<Input>({
  offered,
  accepted = offered,
  prepare = (value) => value,
}: ToolInputOptions): FlexibleSchema<Input> {
  const shown = () => structuredClone(offered) as unknown as Record<string, unknown>;
  return {
    "~standard": {
      version: 1,
      vendor: "grove",
      validate: (value) => {
        const issues: Issue[] = [];
        const read = readValue(accepted, prepare(value), { path: [], issues });
        return issues.length > 0 ? { issues } : { value: read as Input };
      },
      jsonSchema: { input: shown, output: shown },
    },
  };
}

/**
 * Shows the model the labels but accepts any, so that a wrong one is answered in words; `block` is an alias of `label`.
 */
export function labelledInput<Input extends { readonly label: string }>(
  labels: readonly string[],
  { properties, required }: Pick<ObjectSchema, "properties" | "required">,
): FlexibleSchema<Input> {
  const label: TextSchema = { type: "string", description: "The block." };
  const schema = { type: "object", required: ["label", ...required] } as const;
  return toolInput({
    offered: { ...schema, properties: { label: { ...label, enum: labels }, ...properties } },
    accepted: { ...schema, properties: { label, ...properties } },
    prepare: withLabel,
  });
}

function withLabel(value: unknown): unknown {
  if (typeof value !== "object" || value === null || "label" in value || !("block" in value))
    return value;
  return { ...value, label: value.block };
}

interface Issue {
  readonly message: string;
  readonly path: readonly string[];
}

interface SchemaPlace {
  readonly path: readonly string[];
  readonly issues: Issue[];
}

function readValue(schema: TextSchema | ObjectSchema, value: unknown, place: SchemaPlace): unknown {
  const { path, issues } = place;
  if (schema.type === "string") {
    const problem = textProblem(schema, value);
    if (problem !== null) issues.push({ message: problem, path });
    return value;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    issues.push({ message: "Expected an object.", path });
    return value;
  }
  const given: Readonly<Record<string, unknown>> = { ...value };
  const read = Object.entries(schema.properties).flatMap(([name, property]) => {
    if (given[name] === undefined && !schema.required.includes(name)) return [];
    return [[name, readValue(property, given[name], { path: [...path, name], issues })]];
  });
  return Object.fromEntries(read);
}

function textProblem(
  { enum: choices, minLength = 0, maxLength = Number.POSITIVE_INFINITY }: TextSchema,
  value: unknown,
): string | null {
  if (typeof value !== "string") return "Expected a text.";
  if (choices && !choices.includes(value)) return `Expected one of ${choices.join(", ")}.`;
  if (value.length < minLength) return `Expected at least ${minLength} characters.`;
  if (value.length > maxLength) return `Expected at most ${maxLength} characters.`;
  return null;
}

/** Failures become text, since a thrown one would end the run. */
export async function answer(say: () => Promise<string>): Promise<string> {
  try {
    return await say();
  } catch (error) {
    return `Error: ${messageOf(error)}`;
  }
}

/** Callers may leave the options of a call out. */
export function callIdOf(options: { readonly toolCallId?: string } | undefined): string {
  return options?.toolCallId ?? crypto.randomUUID();
}
