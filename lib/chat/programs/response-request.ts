import { z } from "zod";
import { functionTool, type ProgramCall, reasoningEffort } from "@/lib/chat/answering/program-call";
import { metadataSchema } from "./program";
import { programError } from "./program-error";

const tools = z
  .array(z.looseObject({ type: z.string() }))
  .max(128)
  .nullish();

const format = z.union([
  z.object({ type: z.enum(["text", "json_object"]) }),
  z.object({
    type: z.literal("json_schema"),
    name: z.string(),
    schema: z.record(z.string(), z.unknown()),
    description: z.string().nullish(),
    strict: z.boolean().nullish(),
  }),
]);

/** `POST /v1/responses`. */
export const createResponseRequest = z.object({
  model: z.string().min(1).max(200).optional(),
  input: z.unknown().optional(),
  instructions: z.string().nullish(),
  previous_response_id: z.string().nullish(),
  conversation: z.union([z.string(), z.object({ id: z.string() })]).nullish(),
  stream: z.boolean().nullish(),
  background: z.boolean().nullish(),
  store: z.boolean().nullish(),
  tools,
  tool_choice: z.unknown().optional(),
  parallel_tool_calls: z.boolean().nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  max_output_tokens: z.int().min(1).nullish(),
  reasoning: z.looseObject({ effort: reasoningEffort.nullish() }).nullish(),
  text: z.looseObject({ format: format.nullish() }).nullish(),
  metadata: metadataSchema.nullish(),
  top_logprobs: z.int().nullish(),
  prompt: z.unknown().optional(),
});
export type CreateResponse = z.output<typeof createResponseRequest>;

type CallSettings = Omit<ProgramCall, "instructions" | "usesMemory" | "blocks">;

/** @throws {ProgramError} for a parameter that would be ignored. */
export function callSettingsOf(request: CreateResponse): CallSettings {
  if (request.top_logprobs) throw unsupported("top_logprobs");
  if (request.prompt !== undefined && request.prompt !== null) throw unsupported("prompt");
  const { format: wanted } = request.text ?? {};
  return {
    tools: functionTools(request.tools),
    toolChoice: toolChoiceOf(request.tool_choice),
    format: wanted ? formatOf(wanted) : { type: "text" },
    ...given({
      temperature: request.temperature,
      topP: request.top_p,
      maxOutputTokens: request.max_output_tokens,
      reasoning: request.reasoning?.effort,
    }),
  };
}

export function functionTools(listed: z.output<typeof tools>): ProgramCall["tools"] {
  return (listed ?? []).map((listedTool, index) => {
    const param = `tools[${index}]`;
    if (listedTool.type !== "function") {
      throw programError(
        "unsupported",
        `Tools of type “${listedTool.type}” are not supported.`,
        param,
      );
    }
    // Chat Completions nest what the Responses API has at the top.
    const read = functionTool.safeParse(listedTool.function ?? listedTool);
    if (read.success) return read.data;
    const [issue] = read.error.issues;
    const field = [param, ...(issue?.path ?? [])].join(".");
    throw programError("invalid", `“${field}” is invalid: ${issue?.message}.`, field);
  });
}

const namedChoice = z.union([
  z.object({ type: z.literal("function"), name: z.string() }),
  z.object({ type: z.literal("function"), function: z.object({ name: z.string() }) }),
]);

export function toolChoiceOf(choice: unknown): ProgramCall["toolChoice"] {
  if (choice === undefined || choice === null) return "auto";
  if (choice === "auto" || choice === "none" || choice === "required") return choice;
  const named = namedChoice.safeParse(choice);
  if (!named.success) throw unsupported("tool_choice");
  return { name: "name" in named.data ? named.data.name : named.data.function.name };
}

export function formatOf(wanted: z.output<typeof format>): ProgramCall["format"] {
  if (wanted.type !== "json_schema") return { type: wanted.type };
  const { type, name, schema, description } = wanted;
  return { type, name, schema, ...(description && { description }) };
}

export function unsupported(param: string): Error {
  return programError("unsupported", `“${param}” is not supported.`, param);
}

/** Without the values that are missing. */
export function given<Values extends Record<string, unknown>>(
  values: Values,
): { [Name in keyof Values]?: NonNullable<Values[Name]> } {
  const present = Object.entries(values).filter(
    ([, value]) => value !== null && value !== undefined,
  );
  return Object.fromEntries(present) as { [Name in keyof Values]?: NonNullable<Values[Name]> };
}
