import { z } from "zod";
import { schemaProblem } from "@/lib/chat/answering/answer-format";
import { type ProgramCall, reasoningEffort, verbosity } from "@/lib/chat/answering/program-call";
import { programError } from "./program-error";
import { chosenTools, offeredByProgram, toolList } from "./program-tools";
import { threadFields } from "./thread";

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

export const createResponseRequest = z.object({
  model: z.string().min(1).max(200).optional(),
  input: z.unknown().optional(),
  instructions: z.string().nullish(),
  previous_response_id: z.string().nullish(),
  conversation: z.union([z.string(), z.object({ id: z.string() })]).nullish(),
  stream: z.boolean().nullish(),
  background: z.boolean().nullish(),
  store: z.boolean().nullish(),
  tools: toolList,
  tool_choice: z.unknown().optional(),
  parallel_tool_calls: z.boolean().nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  max_output_tokens: z.int().min(1).nullish(),
  reasoning: z.looseObject({ effort: reasoningEffort.nullish() }).nullish(),
  text: z.looseObject({ format: format.nullish(), verbosity: verbosity.nullish() }).nullish(),
  ...threadFields,
  include: z.array(z.string()).nullish(),
  max_tool_calls: z.unknown().optional(),
  moderation: z.unknown().optional(),
  top_logprobs: z.int().nullish(),
  prompt: z.unknown().optional(),
});
export type CreateResponse = z.output<typeof createResponseRequest>;

export type ResponseCall = Omit<ProgramCall, "instructions" | "usesMemory" | "blocks">;

export function callSettingsOf(request: CreateResponse): ResponseCall {
  if (request.top_logprobs) throw unsupported("top_logprobs");
  if (request.include?.some((each) => each.endsWith("logprobs"))) throw unsupported("include");
  assertAbsent(request, ["prompt", "max_tool_calls", "moderation"]);
  const { format: wanted, verbosity } = request.text ?? {};
  return {
    ...chosenTools(offeredByProgram(request.tools), request.tool_choice),
    format: wanted ? formatOf(wanted, "text.format") : { type: "text" },
    ...given({
      temperature: request.temperature,
      topP: request.top_p,
      maxOutputTokens: request.max_output_tokens,
      reasoning: request.reasoning?.effort,
      parallelCalls: request.parallel_tool_calls,
      verbosity,
    }),
  };
}

export function formatOf(wanted: z.output<typeof format>, param: string): ProgramCall["format"] {
  if (wanted.type !== "json_schema") return { type: wanted.type };
  const { type, name, schema, description, strict } = wanted;
  const problem = schemaProblem(schema);
  if (problem !== null)
    throw programError("invalid", `The schema of “${param}” cannot be read. ${problem}`, param);
  return { type, name, schema, ...given({ description, strict }) };
}

export function unsupported(param: string, instead = ""): Error {
  return programError("unsupported", `“${param}” is not supported.${instead}`, param);
}

export function assertAbsent<Name extends string>(
  request: { readonly [Field in Name]?: unknown },
  names: readonly Name[],
  instead?: string,
): void {
  const found = names.find((name) => (request[name] ?? null) !== null);
  if (found) throw unsupported(found, instead);
}

export function given<Values extends Record<string, unknown>>(
  values: Values,
): { [Name in keyof Values]?: NonNullable<Values[Name]> } {
  const present = Object.entries(values).filter(
    ([, value]) => value !== null && value !== undefined,
  );
  return Object.fromEntries(present) as { [Name in keyof Values]?: NonNullable<Values[Name]> };
}
