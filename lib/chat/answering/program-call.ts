import { jsonSchema, Output, type ToolChoice, type ToolSet, tool } from "ai";
import { z } from "zod";
import { type parameterSettings, programOptions } from "@/lib/llm";

const textFormat = z.union([
  z.object({ type: z.literal("text") }),
  z.object({ type: z.literal("json_object") }),
  z.object({
    type: z.literal("json_schema"),
    name: z.string(),
    schema: z.record(z.string(), z.unknown()),
    description: z.string().optional(),
    strict: z.boolean().optional(),
  }),
]);

export const functionTool = z.object({
  name: z.string().regex(/^[\w-]{1,64}$/, "must be 1 to 64 letters, digits, - or _"),
  description: z.string().optional(),
  parameters: z.record(z.string(), z.unknown()).nullable().optional(),
  strict: z.boolean().nullable().optional(),
});

export const calledAs = z.object({
  name: z.string(),
  namespace: z.string().optional(),
  /** Takes one text, which the model sends as the argument `input`. */
  isCustom: z.boolean().optional(),
});
export type CalledAs = z.output<typeof calledAs>;

const programTool = functionTool.extend({ calledAs: calledAs.optional() });
export type ProgramTool = z.output<typeof programTool>;

export const reasoningEffort = z.enum(["none", "minimal", "low", "medium", "high", "xhigh", "max"]);
export const verbosity = z.enum(["low", "medium", "high"]);

export const programCall = z.object({
  instructions: z.string(),
  usesMemory: z.boolean(),
  /** Block ids; `null` for all, and past chats. */
  blocks: z.array(z.string()).nullable().default(null),
  tools: z.array(programTool),
  /** Tool types of OpenAI's or Anthropic's servers, which no model got. */
  hostedTools: z.array(z.string()).default([]),
  toolChoice: z
    .union([z.enum(["auto", "none", "required"]), z.object({ name: z.string() })])
    .default("auto"),
  format: textFormat.default({ type: "text" }),
  temperature: z.number().optional(),
  topP: z.number().optional(),
  maxOutputTokens: z.int().optional(),
  frequencyPenalty: z.number().optional(),
  presencePenalty: z.number().optional(),
  seed: z.int().optional(),
  stopSequences: z.array(z.string()).optional(),
  reasoning: reasoningEffort.optional(),
  parallelCalls: z.boolean().optional(),
  verbosity: verbosity.optional(),
});

const modelSettings = programCall.omit({
  instructions: true,
  usesMemory: true,
  blocks: true,
  tools: true,
  hostedTools: true,
  toolChoice: true,
  format: true,
  parallelCalls: true,
  verbosity: true,
});

export type ProgramCall = z.output<typeof programCall>;

/** The program's names of its tools, by their names for the model. */
export function namesInProgram(request: unknown): ReadonlyMap<string, CalledAs> {
  const { data } = z.object({ call: programCall.pick({ tools: true }) }).safeParse(request);
  return new Map(
    (data?.call.tools ?? []).map((each) => [each.name, each.calledAs ?? { name: each.name }]),
  );
}

export function hostedToolsIn(request: unknown): string[] {
  const { data } = z.object({ call: programCall.pick({ hostedTools: true }) }).safeParse(request);
  return data?.call.hostedTools ?? [];
}

/** Without `execute`, a call ends the answer. */
export function programTools({ tools }: Pick<ProgramCall, "tools">): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, parameters, strict }) => [
      name,
      tool({
        ...(description !== undefined && { description }),
        ...(typeof strict === "boolean" && { strict }),
        inputSchema: jsonSchema(parameters ?? { type: "object", properties: {} }),
      }),
    ]),
  );
}

export type CallSettings = Omit<ReturnType<typeof callSettings>, "providerOptions"> & {
  readonly providerOptions?:
    | ReturnType<typeof parameterSettings>["providerOptions"]
    | ReturnType<typeof programOptions>;
};

export function callSettings(call: ProgramCall | undefined) {
  if (!call) return {};
  const { toolChoice, format, parallelCalls, verbosity } = call;
  const settings = modelSettings.parse(call);
  const choice: ToolChoice<ToolSet> =
    typeof toolChoice === "string" ? toolChoice : { type: "tool", toolName: toolChoice.name };
  const providerOptions = programOptions({
    strictSchema: isStrict(format),
    parallelCalls,
    verbosity,
  });
  return { ...settings, toolChoice: choice, ...outputOf(format), providerOptions };
}

/** OpenAI takes a schema as strict only when it says so. */
function isStrict(format: ProgramCall["format"]): boolean {
  return format.type === "json_schema" && (format.strict ?? false);
}

function outputOf(format: ProgramCall["format"]) {
  switch (format.type) {
    case "text":
      return {};
    case "json_object":
      return { output: Output.json() };
    case "json_schema": {
      const { name, description, schema } = format;
      return {
        output: Output.object({
          schema: jsonSchema(schema),
          name,
          ...(description !== undefined && { description }),
        }),
      };
    }
  }
}
