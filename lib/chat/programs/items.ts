import { z } from "zod";
import type { GroveMetadata } from "@/lib/chat/wire/messages";
import type { SessionMessage, SessionMessagePart } from "@/lib/session";
import { isNestedTooDeeply, isToolPart, toolNameOf } from "@/lib/session/internal";
import { programError } from "./program-error";

const textContent = z.object({
  type: z.enum(["input_text", "output_text", "text"]),
  text: z.string().max(1_000_000),
});
const refusal = z.object({ type: z.literal("refusal"), refusal: z.string() });
const content = z.union([z.string().max(1_000_000), z.array(z.looseObject({ type: z.string() }))]);
export type ItemContent = z.output<typeof content>;

/** Of a stored item that a program repeats. */
const id = z.string().nullish();
const callId = z.string().min(1).max(200);
const name = z.string().min(1).max(64);

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
    arguments: z.string(),
  }),
  function_call_output: z.object({
    type: z.literal("function_call_output"),
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

/** Items of a request. Those of other kinds are refused by name. */
type GivenItem = z.output<(typeof schemas)[keyof typeof schemas]>;

/** Names a stored item. */
export type ItemReference = z.output<typeof schemas.item_reference>;

export type InputItem = Exclude<GivenItem, ItemReference>;

export type CompactionItem = z.output<typeof schemas.compaction>;

export function isCompaction(item: InputItem | ItemReference): item is CompactionItem {
  return "type" in item && item.type === "compaction";
}

export type ListedMessage = Pick<SessionMessage, "role" | "parts" | "metadata">;

/** Parts of the files among the contents of items, by content. */
export type ItemFiles = ReadonlyMap<object, SessionMessagePart>;

/** @throws {ProgramError} naming the item that cannot be taken. */
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

/**
 * One message for each item, so that an item is listed, repeated and deleted as it was given. Results are nameless
 * until `withCallsNamed`.
 *
 * @throws {ProgramError} for audio, files outside a user's message, and a compaction, which is no message.
 */
export function messagesFromItems(
  items: readonly InputItem[],
  { files, param = "input" }: { files: ItemFiles; param?: string },
): ListedMessage[] {
  return items.map((item, index) => messageFromItem(item, { files, param: `${param}[${index}]` }));
}

function messageFromItem(
  item: InputItem,
  { files, param }: { files: ItemFiles; param: string },
): ListedMessage {
  if ("role" in item) {
    const parts = partsFrom(item.content, { files, param: `${param}.content` });
    if (item.role === "user" || item.role === "assistant") return { role: item.role, parts };
    const metadata: GroveMetadata = { instruction: item.role };
    return { role: "system", parts, metadata };
  }
  return { role: "assistant", parts: [partFromItem(item, param)] };
}

function partsFrom(
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
  param: string,
): SessionMessagePart {
  switch (item.type) {
    case "reasoning": {
      const text = (item.summary ?? []).map((entry) => entry.text).join("\n\n");
      const encrypted = item.encrypted_content;
      return { type: "reasoning", text, ...(encrypted && { encryptedContent: encrypted }) };
    }
    case "function_call":
      return {
        type: "dynamic-tool",
        toolName: item.name,
        toolCallId: item.call_id,
        state: "input-available",
        input: argumentsOf(item.arguments),
      };
    case "function_call_output":
      return {
        type: "dynamic-tool",
        toolName: "",
        toolCallId: item.call_id,
        state: "output-available",
        output: textsOf(item.output, `${param}.output`).join("\n"),
      };
    case "mcp_call": {
      const { error, output } = item;
      const isFailed = error !== null && error !== undefined;
      return {
        // Static, as Grove's own tools are stored.
        type: `tool-${item.name}`,
        toolCallId: item.id ?? crypto.randomUUID(),
        input: argumentsOf(item.arguments),
        ...(isFailed
          ? {
              state: "output-error",
              errorText: errorTextOf(error),
            }
          : { state: "output-available", output: output ?? "" }),
      };
    }
    case "compaction":
      throw programError("unsupported", "A compaction stands only in “input”.", param);
  }
}

const toolError = z.object({ content: z.tuple([z.object({ text: z.string() })]) });

function errorTextOf(error: unknown): string {
  const text = toolError.safeParse(error).data?.content[0].text;
  return text ?? (typeof error === "string" ? error : JSON.stringify(error));
}

/** Names the calls that results answer. `earlier` are the messages before, newest last. @throws {ProgramError} for an unknown call. */
export function withCallsNamed(
  messages: readonly ListedMessage[],
  earlier: readonly ListedMessage[],
): ListedMessage[] {
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
      return { ...part, toolName: toolNameOf(call), input: call.input ?? {} };
    }),
  }));
}

/** Ids of the calls whose results stand in `messages` without them. */
export function missingCalls(messages: readonly ListedMessage[]): string[] {
  const parts = messages.flatMap((message) => message.parts);
  const named = new Set(parts.filter((part) => !isNameless(part)).map((part) => part.toolCallId));
  return parts
    .filter((part) => isNameless(part) && !named.has(part.toolCallId))
    .map((part) => String(part.toolCallId));
}

function isNameless({ type, toolName }: SessionMessagePart): boolean {
  return type === "dynamic-tool" && toolName === "";
}

/** A developer's or system's message: part of the prompt of the answers below it. */
export function instructionOf({ metadata }: Pick<SessionMessage, "metadata">) {
  return (metadata as GroveMetadata | undefined)?.instruction ?? null;
}

/** The texts of instructions, oldest first. */
export function instructionsIn(messages: readonly ListedMessage[]): string[] {
  return messages
    .filter((message) => instructionOf(message) !== null)
    .map(({ parts }) => parts.map(({ text }) => String(text ?? "")).join("\n"));
}

/** The text of a message's content. @throws {ProgramError} for images, files and audio. */
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

/** A model's call may hold text that is not JSON, or nested more deeply than anything reads. */
export function argumentsOf(text: string): unknown {
  return isReadable(text) ? JSON.parse(text) : { arguments: text };
}

/** The text that `argumentsOf` has read, but for white space. */
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
