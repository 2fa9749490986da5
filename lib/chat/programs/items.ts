import type { SessionMessage, SessionMessagePart } from "grove-session";
import { isToolPart, toolNameOf } from "grove-session";
import { z } from "zod";
import type { CalledAs } from "@/lib/chat/answering/program-call";
import type { GroveMetadata } from "@/lib/chat/wire/messages";
import { isNestedTooDeeply } from "@/lib/text/json-depth";
import { programError } from "./program-error";
import { nameForModels } from "./program-tools";

const textContent = z.object({
  type: z.enum(["input_text", "output_text", "text"]),
  text: z.string().max(1_000_000),
});
const refusal = z.object({ type: z.literal("refusal"), refusal: z.string() });
const content = z.union([z.string().max(1_000_000), z.array(z.looseObject({ type: z.string() }))]);
export type ItemContent = z.output<typeof content>;

const id = z.string().nullish();
const callId = z.string().min(1).max(200);
const name = z.string().min(1).max(200);
const namespace = z.string().max(200).nullish();

const messageItem = z.object({
  type: z.literal("message").optional(),
  id,
  role: z.enum(["user", "assistant", "system", "developer"]),
  content,
});
const schemas = {
  message: messageItem,
  function_call: z.object({
    type: z.literal("function_call"),
    id,
    call_id: callId,
    name,
    namespace,
    arguments: z.string(),
  }),
  function_call_output: z.object({
    type: z.literal("function_call_output"),
    id,
    call_id: callId,
    output: content,
  }),
  custom_tool_call: z.object({
    type: z.literal("custom_tool_call"),
    id,
    call_id: callId,
    name,
    namespace,
    input: z.string(),
  }),
  custom_tool_call_output: z.object({
    type: z.literal("custom_tool_call_output"),
    id,
    call_id: callId,
    output: content,
  }),
  mcp_call: z.object({
    type: z.literal("mcp_call"),
    id,
    name,
    arguments: z.string(),
    output: z.string().nullish(),
    error: z.unknown(),
  }),
  reasoning: z.object({
    type: z.literal("reasoning"),
    id,
    summary: z.array(z.object({ text: z.string() })).optional(),
    encrypted_content: z.string().max(1_000_000).nullish(),
  }),
  compaction: z.object({ type: z.literal("compaction"), id, encrypted_content: z.string() }),
  item_reference: z.object({ type: z.literal("item_reference").nullish(), id: z.string().min(1) }),
} as const;

type GivenItem = z.output<(typeof schemas)[keyof typeof schemas]>;

export type ItemReference = z.output<typeof schemas.item_reference>;

export type InputItem = Exclude<GivenItem, ItemReference>;

export type CompactionItem = z.output<typeof schemas.compaction>;

export function isCompaction(item: InputItem | ItemReference): item is CompactionItem {
  return "type" in item && item.type === "compaction";
}

export type ConversationMessage = Pick<SessionMessage, "role" | "parts" | "metadata">;

export type ItemFiles = ReadonlyMap<object, SessionMessagePart>;

export function readItems(input: unknown, param = "input"): GivenItem[] {
  if (typeof input === "string") return [{ role: "user", content: input }];
  if (!Array.isArray(input))
    throw programError("invalid", `“${param}” is a text or a list of items.`, param);
  return input.map((item: unknown, index) => readItem(item, `${param}[${index}]`));
}

const typed = z.looseObject({ type: z.string().nullish() }).catch({});

function readItem(item: unknown, param: string): GivenItem {
  const given = typed.parse(item);
  const type = given.type ?? ("id" in given && !("role" in given) ? "item_reference" : "message");
  if (!Object.hasOwn(schemas, type)) {
    throw programError("unsupported", `Items of type “${type}” are not supported.`, param);
  }
  const read = schemas[type as keyof typeof schemas].safeParse(item);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const field = [param, ...(issue?.path ?? [])].join(".");
  throw programError("invalid", `“${field}” is invalid: ${issue?.message}.`, field);
}

/** One message for each item, so that it is listed, repeated and deleted as given. */
export function messagesFromItems(
  items: readonly InputItem[],
  { files, param = "input" }: { files: ItemFiles; param?: string },
): ConversationMessage[] {
  return items.map((item, index) => messageFromItem(item, { files, param: `${param}[${index}]` }));
}

function messageFromItem(
  item: InputItem,
  { files, param }: { files: ItemFiles; param: string },
): ConversationMessage {
  if ("role" in item) {
    const parts = partsFrom(item.content, { files, param: `${param}.content` });
    if (item.role === "user" || item.role === "assistant") return { role: item.role, parts };
    const metadata: GroveMetadata = { instruction: item.role };
    return { role: "system", parts, metadata };
  }
  const parts = [partFromItem(item, { files, param })];
  const shown =
    "output" in item && Array.isArray(item.output) ? filesOfResult(item.output, files) : [];
  return { role: "assistant", parts: [...parts, ...shown] };
}

export function filesOfResult(value: ItemContent, files: ItemFiles): SessionMessagePart[] {
  const entries = typeof value === "string" ? [] : value;
  return entries.flatMap((entry) => {
    const file = files.get(entry);
    return file ? [{ ...file, isOfResult: true }] : [];
  });
}

export function resultText(value: ItemContent, files: ItemFiles, param: string): string {
  if (typeof value === "string") return value;
  const texts = value.map((entry, index) => {
    const file = files.get(entry);
    return file
      ? `[${file.filename ?? "File"}: ${file.mediaType}, shown to the person]`
      : textOf(entry, `${param}[${index}]`);
  });
  return texts.join("\n");
}

export function partsFrom(
  value: ItemContent,
  { files, param }: { files: ItemFiles; param: string },
): SessionMessagePart[] {
  if (typeof value === "string" || value.length === 0)
    return [{ type: "text", text: value.toString() }];
  return value.map(
    (entry, index) =>
      files.get(entry) ?? { type: "text", text: textOf(entry, `${param}[${index}]`) },
  );
}

function partFromItem(
  item: Exclude<InputItem, z.output<typeof messageItem>>,
  { files, param }: { files: ItemFiles; param: string },
): SessionMessagePart {
  switch (item.type) {
    case "reasoning": {
      const text = (item.summary ?? []).map((entry) => entry.text).join("\n\n");
      const encrypted = item.encrypted_content;
      return { type: "reasoning", text, ...(encrypted && { encryptedContent: encrypted }) };
    }
    case "function_call":
    case "custom_tool_call": {
      const isCustom = item.type === "custom_tool_call";
      const own: CalledAs = {
        name: item.name,
        ...(item.namespace && { namespace: item.namespace }),
        ...(isCustom && { isCustom }),
      };
      const input = isCustom ? { input: item.input } : argumentsOf(item.arguments);
      return programCallPart(item.call_id, own, input);
    }
    case "function_call_output":
    case "custom_tool_call_output":
      return {
        type: "dynamic-tool",
        toolName: "",
        toolCallId: item.call_id,
        state: "output-available",
        output: resultText(item.output, files, `${param}.output`),
      };
    case "mcp_call": {
      const { error, output } = item;
      const isFailed = error !== null && error !== undefined;
      return {
        type: `tool-${item.name}`,
        toolCallId: item.id ?? crypto.randomUUID(),
        input: argumentsOf(item.arguments),
        ...(isFailed
          ? { state: "output-error", errorText: errorTextOf(error) }
          : { state: "output-available", output: output ?? "" }),
      };
    }
    case "compaction":
      throw programError("unsupported", "A compaction stands only in “input”.", param);
  }
}

export function programCallPart(
  toolCallId: string,
  own: CalledAs,
  input: unknown,
): SessionMessagePart {
  const toolName = nameForModels(own);
  return {
    type: "dynamic-tool",
    toolName,
    toolCallId,
    state: "input-available",
    input,
    ...((own.isCustom || toolName !== own.name) && { calledAs: own }),
  };
}

const toolError = z.object({ content: z.tuple([z.object({ text: z.string() })]) });

function errorTextOf(error: unknown): string {
  const text = toolError.safeParse(error).data?.content[0].text;
  return text ?? (typeof error === "string" ? error : JSON.stringify(error));
}

/** `earlier` are the messages before, newest last. @throws {ProgramError} for a result of an unknown call. */
export function withCallsNamed(
  messages: readonly ConversationMessage[],
  earlier: readonly ConversationMessage[],
): ConversationMessage[] {
  const calls = new Map(
    [...earlier, ...messages]
      .flatMap(({ parts }) => parts.filter((part) => isToolPart(part) && !isNameless(part)))
      .map((part) => [part.toolCallId, part]),
  );
  return messages.map((message) => ({
    ...message,
    parts: message.parts.map((part) => {
      if (!isNameless(part)) return part;
      const call = calls.get(part.toolCallId);
      if (!call) {
        throw programError(
          "invalid",
          `No tool call found for call_id ${part.toolCallId}.`,
          "input",
        );
      }
      const { calledAs } = call;
      const named = { toolName: toolNameOf(call), ...(calledAs !== undefined && { calledAs }) };
      return { ...part, ...named, input: call.input ?? {} };
    }),
  }));
}

export function missingCalls(messages: readonly ConversationMessage[]): string[] {
  const parts = messages.flatMap((message) => message.parts);
  const named = new Set(parts.filter((part) => !isNameless(part)).map((part) => part.toolCallId));
  return parts
    .filter((part) => isNameless(part) && !named.has(part.toolCallId))
    .map((part) => String(part.toolCallId));
}

function isNameless({ type, toolName }: SessionMessagePart): boolean {
  return type === "dynamic-tool" && toolName === "";
}

export function instructionOf({ metadata }: Pick<SessionMessage, "metadata">) {
  return (metadata as GroveMetadata | undefined)?.instruction ?? null;
}

export function instructionsIn(messages: readonly ConversationMessage[]): string[] {
  return messages
    .filter((message) => instructionOf(message) !== null)
    .map(({ parts }) => parts.map(({ text }) => String(text ?? "")).join("\n"));
}

export function plainText(value: ItemContent, param: string): string {
  return textsOf(value, param).join("\n");
}

function textsOf(value: ItemContent, param: string): string[] {
  if (typeof value === "string") return [value];
  return value.map((entry, index) => textOf(entry, `${param}[${index}]`));
}

function textOf(entry: { readonly type: string }, param: string): string {
  const text = textContent.safeParse(entry);
  if (text.success) return text.data.text;
  const refused = refusal.safeParse(entry);
  if (refused.success) return refused.data.refusal;
  throw programError(
    "unsupported",
    `Content of type “${entry.type}” is not supported here.`,
    param,
  );
}

/** A model's call may hold invalid or too deeply nested JSON. */
export function argumentsOf(text: string): unknown {
  return isReadable(text) ? JSON.parse(text) : { arguments: text };
}

export function argumentsText(input: unknown): string {
  const kept = z.strictObject({ arguments: z.string() }).safeParse(input).data;
  return kept && !isReadable(kept.arguments) ? kept.arguments : JSON.stringify(input ?? {});
}

function isReadable(text: string): boolean {
  if (isNestedTooDeeply(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
