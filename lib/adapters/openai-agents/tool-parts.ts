import type { SessionMessagePart } from "../../session";
import { isAnswered, toolNameOf } from "../../session/internal";
import { isList, isObject, type JsonObject, type JsonValue, shownText } from "./stored-value";

interface ToolKind {
  readonly call: string;
  readonly result: string;
  readonly name: string;
  readonly input: readonly string[];
  readonly output: string;
}

const functions: ToolKind = {
  call: "function_call",
  result: "function_call_result",
  name: "",
  input: [],
  output: "output",
};

const toolKinds: readonly ToolKind[] = [
  functions,
  kind("computer_call", "computer_call_result", "computer", ["action", "actions"]),
  kind("shell_call", "shell_call_output", "shell", ["action"]),
  kind("apply_patch_call", "apply_patch_call_output", "apply_patch", ["operation"]),
  kind("program", "program_output", "program", ["code", "fingerprint"]),
  {
    ...kind("tool_search_call", "tool_search_output", "tool_search", ["arguments"]),
    output: "tools",
  },
];

function kind(call: string, result: string, name: string, input: readonly string[]): ToolKind {
  return { call, result, name, input, output: "output" };
}

const hostedCall = "hosted_tool_call";

export function callPart(item: JsonObject): SessionMessagePart | null {
  if (item.type === hostedCall) return hostedPart(item);
  const tool = toolKinds.find(({ call }) => call === item.type);
  if (!tool) return null;
  return {
    type: "dynamic-tool",
    toolName: nameIn(item, tool),
    toolCallId: callIdOf(item) ?? crypto.randomUUID(),
    state: "input-available",
    input: tool === functions ? parsed(item.arguments) : picked(item, tool.input),
  };
}

/** The answered call, without an input when `call` is not at hand; `null` for other kinds. */
export function resultPart(
  item: JsonObject,
  call: SessionMessagePart | undefined,
): SessionMessagePart | null {
  const tool = toolKinds.find(({ result }) => result === item.type);
  if (!tool) return null;
  const output = item[tool.output] ?? null;
  const isText = isObject(output) && output.type === "text" && typeof output.text === "string";
  return {
    ...(call ?? {
      type: "dynamic-tool",
      toolName: nameIn(item, tool),
      toolCallId: callIdOf(item) ?? crypto.randomUUID(),
    }),
    state: "output-available",
    output: isText ? output.text : output,
  };
}

const resultFields = ["output", "errorText", "preliminary", "approval", "resultProviderMetadata"];

export function unanswered(part: SessionMessagePart): SessionMessagePart {
  const call = Object.entries(part).filter(([field]) => !resultFields.includes(field));
  return { ...Object.fromEntries(call), type: part.type, state: "input-available" };
}

export function isCallOf(part: SessionMessagePart, item: JsonObject): boolean {
  const tool = toolKinds.find(({ result }) => result === item.type);
  if (!tool || part.state !== "input-available" || part.toolCallId !== callIdOf(item)) return false;
  return tool === functions || part.toolName === tool.name;
}

export function partItem(part: SessionMessagePart, type: string): JsonObject {
  if (type === hostedCall) return hostedItem(part);
  const tool = toolKinds.find(({ call, result }) => call === type || result === type) ?? functions;
  const callId = String(part.toolCallId ?? "");
  const name = tool === functions ? { name: toolNameOf(part) } : {};
  if (type === tool.result) {
    const output = tool === functions ? outputOf(part) : ((part.output ?? null) as JsonValue);
    return { type, callId, ...name, status: "completed", [tool.output]: output };
  }
  if (tool === functions) {
    return { type, callId, ...name, arguments: JSON.stringify(part.input ?? {}) };
  }
  return {
    type,
    callId,
    status: "completed",
    ...(isObject(part.input as JsonValue) && (part.input as JsonObject)),
  };
}

export function itemTypesOf(part: SessionMessagePart): string[] {
  const result = isAnswered(part) && part.preliminary !== true;
  const isBareResult = result && part.input === undefined;
  return [...(isBareResult ? [] : [functions.call]), ...(result ? [functions.result] : [])];
}

export function isResultType(type: string): boolean {
  return toolKinds.some(({ result }) => result === type);
}

function hostedPart(item: JsonObject): SessionMessagePart {
  return {
    type: "dynamic-tool",
    toolName: shownText(item.name),
    toolCallId: shownText(item.id) || crypto.randomUUID(),
    state: "output-available",
    input: parsed(item.arguments),
    output: item.output ?? null,
  };
}

function hostedItem(part: SessionMessagePart): JsonObject {
  const input = JSON.stringify(part.input ?? {});
  return {
    type: hostedCall,
    name: toolNameOf(part),
    status: "completed",
    ...(input !== "{}" && { arguments: input }),
    ...(typeof part.output === "string" && { output: part.output }),
  };
}

function outputOf(part: SessionMessagePart): JsonValue {
  if (part.state === "output-denied") return text("The call was not approved.");
  if (part.state === "output-error") return text(String(part.errorText ?? ""));
  const output = (part.output ?? null) as JsonValue;
  if (typeof output === "string") return text(output);
  const isContent = isList(output)
    ? output.every((each) => isObject(each) && String(each.type).startsWith("input_"))
    : isObject(output) && ["image", "file"].includes(String(output.type));
  return isContent ? output : text(JSON.stringify(output));
}

function text(value: string): JsonObject {
  return { type: "text", text: value };
}

function nameIn(item: JsonObject, tool: ToolKind): string {
  return tool === functions ? shownText(item.name) : tool.name;
}

function callIdOf(item: JsonObject): string | null {
  return shownText(item.callId) || shownText(item.call_id) || null;
}

function picked(item: JsonObject, fields: readonly string[]): JsonObject {
  return Object.fromEntries(
    fields.flatMap((field) => (item[field] === undefined ? [] : [[field, item[field]] as const])),
  );
}

/** Some models fail to write JSON. */
function parsed(value: JsonValue | undefined): unknown {
  if (value === undefined) return {};
  try {
    const input: unknown = JSON.parse(shownText(value));
    return isStorable(input) ? input : { arguments: shownText(value) };
  } catch {
    return { arguments: shownText(value) };
  }
}

/** Escapes in the arguments may hold U+0000 or lone surrogates. */
function isStorable(input: unknown): boolean {
  const written = JSON.stringify(input);
  return typeof input === "object" && input !== null && !/\\u(0000|d[89a-f])/i.test(written);
}
