import { jsonSchema, Output, type ToolChoice, type ToolSet, tool } from "ai";
import { z } from "zod";
import type { parameterSettings } from "@/lib/llm";

const textFormat = z.union([
  z.object({ type: z.literal("text") }),
  z.object({ type: z.literal("json_object") }),
  z.object({
    type: z.literal("json_schema"),
    name: z.string(),
    schema: z.record(z.string(), z.unknown()),
    description: z.string().optional(),
  }),
]);

export const functionTool = z.object({
  name: z.string().regex(/^[\w-]{1,64}$/, "must be 1 to 64 letters, digits, - or _"),
  description: z.string().optional(),
  parameters: z.record(z.string(), z.unknown()).nullable().optional(),
  strict: z.boolean().nullable().optional(),
});

export const reasoningEffort = z.enum(["none", "minimal", "low", "medium", "high", "xhigh"]);

/** A program's part of a model call, stored with its run. */
export const programCall = z.object({
  /** Its prompt; Grove's own comes before it with `usesMemory`. */
  instructions: z.string(),
  /** Offers Grove's prompt, blocks and tools to the model. */
  usesMemory: z.boolean(),
  /** Ids of the blocks that it may know; `null` for all, and past chats. */
  blocks: z.array(z.string()).nullable().default(null),
  /** Run by the program: a call ends the answer. */
  tools: z.array(functionTool),
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
});

/** Settings that the model gets as they are. */
const modelSettings = programCall.omit({
  instructions: true,
  usesMemory: true,
  blocks: true,
  tools: true,
  toolChoice: true,
  format: true,
});

export type ProgramCall = z.output<typeof programCall>;

/** Without `execute`, so that a call ends the answer. */
export function programTools({ tools }: Pick<ProgramCall, "tools">): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, parameters }) => [
      name,
      tool({
        ...(description !== undefined && { description }),
        inputSchema: jsonSchema(parameters ?? { type: "object", properties: {} }),
      }),
    ]),
  );
}

export type CallSettings = ReturnType<typeof callSettings> & {
  readonly providerOptions?: ReturnType<typeof parameterSettings>["providerOptions"];
};

/** Settings of `streamText`; none without a program. */
export function callSettings(call: ProgramCall | undefined) {
  if (!call) return {};
  const { toolChoice, format } = call;
  const settings = modelSettings.parse(call);
  const choice: ToolChoice<ToolSet> =
    typeof toolChoice === "string" ? toolChoice : { type: "tool", toolName: toolChoice.name };
  return { ...settings, toolChoice: choice, ...outputOf(format) };
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
