import { createHash } from "node:crypto";
import { z } from "zod";
import {
  type CalledAs,
  functionTool,
  type ProgramCall,
  type ProgramTool,
} from "@/lib/chat/answering/program-call";
import { programError } from "./program-error";

const mostTools = 512;

export const toolList = z
  .array(z.looseObject({ type: z.string() }))
  .max(mostTools)
  .nullish();
type Listed = NonNullable<z.output<typeof toolList>>[number];

type OfferedTools = Pick<ProgramCall, "tools" | "hostedTools">;

/**
 * Tools of either API become functions, which every model can call. Tools that OpenAI's servers run are left out, and
 * named.
 */
export function offeredByProgram(listed: z.output<typeof toolList>): OfferedTools {
  const tools: ProgramTool[] = [];
  const hosted = new Set<string>();
  for (const [index, each] of (listed ?? []).entries()) {
    const param = `tools[${index}]`;
    if (each.type === "namespace") tools.push(...toolsOfNamespace(each, param));
    else if (isProgramsOwn(each)) tools.push(ownTool(each, { param }));
    else hosted.add(each.type);
  }
  if (tools.length > mostTools)
    throw programError("invalid", `“tools” has more than ${mostTools} functions.`, "tools");
  return { tools, hostedTools: [...hosted] };
}

function isProgramsOwn({ type }: Listed): boolean {
  return type === "function" || type === "custom";
}

const namespace = z.object({
  name: z.string().min(1).max(200),
  tools: z.array(z.looseObject({ type: z.string() })),
});

function toolsOfNamespace(listed: Listed, param: string): ProgramTool[] {
  const read = parsed(namespace, listed, param);
  return read.tools
    .filter(isProgramsOwn)
    .map((each, index) =>
      ownTool(each, { param: `${param}.tools[${index}]`, namespace: read.name }),
    );
}

const name = z.string().min(1).max(200);
const grammar = z.object({ syntax: z.string().optional(), definition: z.string().optional() });
const custom = z.object({
  name,
  description: z.string().nullish(),
  format: grammar.extend({ grammar: grammar.optional() }).nullish(),
});
const named = functionTool.extend({ name, description: z.string().nullish() });

function ownTool(
  listed: Listed,
  { param, namespace }: { param: string; namespace?: string },
): ProgramTool {
  // Chat Completions nest the fields that the Responses API has at the top.
  const fields = listed[listed.type] ?? listed;
  if (listed.type === "custom") {
    const read = parsed(custom, fields, param);
    const calledAs = { name: read.name, ...(namespace && { namespace }), isCustom: true };
    const description = describedCustom(read);
    return { name: nameForModels(calledAs), description, parameters: textArgument, calledAs };
  }
  const { description, ...read } = parsed(named, fields, param);
  const calledAs: CalledAs = { name: read.name, ...(namespace && { namespace }) };
  const modelName = nameForModels(calledAs);
  return {
    ...read,
    name: modelName,
    ...(description && { description }),
    ...(modelName !== read.name && { calledAs }),
  };
}

const textArgument = {
  type: "object",
  properties: { input: { type: "string" } },
  required: ["input"],
  additionalProperties: false,
};

function describedCustom({ description, format }: z.output<typeof custom>): string {
  const { syntax = "", definition } = format?.grammar ?? format ?? {};
  const rule = definition && `The input must follow this grammar (${syntax}):\n${definition}`;
  return [description, rule].filter(Boolean).join("\n\n");
}

const longestName = 64;

/** Models take letters, digits, - and _; the same tool keeps one name. */
export function nameForModels({ namespace, name: own }: CalledAs): string {
  const separator = namespace === undefined || namespace.endsWith("__") ? "" : "__";
  const whole = `${namespace ?? ""}${separator}${own}`;
  const allowed = whole.replace(/[^\w-]/g, "_");
  if (allowed === whole && whole.length <= longestName) return whole;
  const digest = createHash("sha256").update(whole).digest("hex").slice(0, 8);
  return `${allowed.slice(0, longestName - digest.length - 1)}_${digest}`;
}

const choiceByName = z.object({
  type: z.enum(["function", "custom"]),
  namespace: z.string().optional(),
  name,
});
const choiceOfApi = z.union([
  choiceByName,
  z.object({ type: z.literal("function"), function: z.object({ name }) }),
  z.object({ type: z.literal("custom"), custom: z.object({ name }) }),
]);
const allowedTools = z.object({
  type: z.literal("allowed_tools"),
  mode: z.enum(["auto", "required"]),
  tools: z.array(z.unknown()),
});
const allowedChoice = z.union([
  allowedTools,
  z.object({ type: z.literal("allowed_tools"), allowed_tools: allowedTools.omit({ type: true }) }),
]);

/** The choice of a tool that was left out is the model's. */
export function chosenTools(
  offered: OfferedTools,
  choice: unknown,
): OfferedTools & Pick<ProgramCall, "toolChoice"> {
  if (choice === undefined || choice === null) return { ...offered, toolChoice: "auto" };
  if (choice === "auto" || choice === "none") return { ...offered, toolChoice: choice };
  const required = offered.tools.length > 0 ? "required" : "auto";
  if (choice === "required") return { ...offered, toolChoice: required };
  const allowed = allowedChoice.safeParse(choice).data;
  if (allowed) {
    const { mode, tools } = "mode" in allowed ? allowed : allowed.allowed_tools;
    const names = new Set(tools.map(chosenName));
    const left = offered.tools.filter((each) => names.has(each.name));
    const toolChoice = mode === "required" && left.length > 0 ? "required" : "auto";
    return { ...offered, tools: left, toolChoice };
  }
  const chosen = chosenName(choice);
  if (chosen !== null) {
    if (offered.tools.some((each) => each.name === chosen))
      return { ...offered, toolChoice: { name: chosen } };
    throw programError("invalid", "“tool_choice” names no tool of “tools”.", "tool_choice");
  }
  if (offered.hostedTools.length > 0) return { ...offered, toolChoice: "auto" };
  throw programError("unsupported", "“tool_choice” is not supported.", "tool_choice");
}

function chosenName(choice: unknown): string | null {
  const read = choiceOfApi.safeParse(choice).data;
  if (!read) return null;
  if ("name" in read) return nameForModels(read);
  return nameForModels("custom" in read ? read.custom : read.function);
}

export function customInput(input: unknown): string {
  const read = z.object({ input: z.string() }).safeParse(input).data;
  if (read) return read.input;
  return typeof input === "string" ? input : JSON.stringify(input ?? "");
}

function parsed<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  param: string,
): z.output<Schema> {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const field = [param, ...(issue?.path ?? [])].join(".");
  throw programError("invalid", `“${field}” is invalid: ${issue?.message}.`, field);
}
