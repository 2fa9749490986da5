import { z } from "zod";
import type { SessionMessage, SessionMessagePart } from "@/lib/session";
import { isAnswered, isNestedTooDeeply, isToolPart, toolNameOf } from "@/lib/session/internal";
import { programError } from "./program-error";
import type { JsonRecord } from "./response-writer";

const textContent = z.object({
  type: z.enum(["input_text", "output_text", "text"]),
  text: z.string().max(1_000_000),
});
const refusal = z.object({ type: z.literal("refusal"), refusal: z.string() });
const content = z.union([z.string().max(1_000_000), z.array(z.looseObject({ type: z.string() }))]);

const messageItem = z.object({
  type: z.literal("message").optional(),
  role: z.enum(["user", "assistant", "system", "developer"]),
  content,
});
const callItem = z.object({
  type: z.literal("function_call"),
  call_id: z.string().min(1).max(200),
  name: z.string().min(1).max(64),
  arguments: z.string(),
});
const resultItem = z.object({
  type: z.literal("function_call_output"),
  call_id: z.string().min(1).max(200),
  output: content,
});
const reasoningItem = z.object({
  type: z.literal("reasoning"),
  summary: z.array(z.object({ text: z.string() })).optional(),
});

/** Items of a request's `input`. Those of other kinds are refused by name. */
export type InputItem =
  | z.output<typeof messageItem>
  | z.output<typeof callItem>
  | z.output<typeof resultItem>
  | z.output<typeof reasoningItem>;

export type ListedMessage = Pick<SessionMessage, "role" | "parts">;

/** @throws {ProgramError} naming the item that cannot be taken. */
export function readItems(input: unknown): InputItem[] {
  if (typeof input === "string") return [{ role: "user", content: input }];
  if (!Array.isArray(input))
    throw programError("invalid", "“input” is a text or a list of items.", "input");
  return input.map((item: unknown, index) => readItem(item, `input[${index}]`));
}

function readItem(item: unknown, param: string): InputItem {
  const { type = "message" } = z.looseObject({ type: z.string().optional() }).catch({}).parse(item);
  const schemas = {
    message: messageItem,
    function_call: callItem,
    function_call_output: resultItem,
    reasoning: reasoningItem,
  } as const;
  if (!Object.hasOwn(schemas, type)) {
    throw programError("unsupported", `Items of type “${type}” are not supported.`, param);
  }
  const read = schemas[type as keyof typeof schemas].safeParse(item);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const field = [param, ...(issue?.path ?? [])].join(".");
  throw programError("invalid", `“${field}” is invalid: ${issue?.message}.`, field);
}

/** Instructions of the conversation; the other items are its messages. */
export function instructionsIn(items: readonly InputItem[]): string[] {
  return items.flatMap((item, index) =>
    isInstruction(item) ? [plainText(item.content, `input[${index}].content`)] : [],
  );
}

/** Neighbouring items of the assistant are one message; a result stands in its call if both are given. */
export function messagesFromItems(items: readonly InputItem[]): ListedMessage[] {
  const messages: { role: "user" | "assistant"; parts: SessionMessagePart[] }[] = [];
  for (const [index, item] of items.entries()) {
    if (isInstruction(item)) continue;
    const param = `input[${index}]`;
    if ("role" in item && item.role === "user") {
      const text = plainText(item.content, `${param}.content`);
      messages.push({ role: "user", parts: [{ type: "text", text }] });
      continue;
    }
    const last = messages.at(-1);
    const message = last?.role === "assistant" ? last : { role: "assistant" as const, parts: [] };
    if (message !== last) messages.push(message);
    addToAnswer(message.parts, item, param);
  }
  return messages;
}

function addToAnswer(parts: SessionMessagePart[], item: InputItem, param: string): void {
  if ("role" in item) {
    parts.push({ type: "text", text: plainText(item.content, `${param}.content`) });
    return;
  }
  switch (item.type) {
    case "reasoning":
      // Providers refuse reasoning without what they signed, which no other program has.
      return;
    case "function_call":
      parts.push({
        type: "dynamic-tool",
        toolName: item.name,
        toolCallId: item.call_id,
        state: "input-available",
        input: argumentsOf(item.arguments),
      });
      return;
    case "function_call_output": {
      const output = plainText(item.output, `${param}.output`);
      const at = parts.findIndex(({ toolCallId }) => toolCallId === item.call_id);
      const call = parts[at];
      if (call) {
        parts[at] = { ...call, state: "output-available", output };
        return;
      }
      parts.push({
        type: "dynamic-tool",
        toolName: "",
        toolCallId: item.call_id,
        state: "output-available",
        output,
      });
      return;
    }
  }
}

/** Names the calls that results answer, as the earlier messages say. @throws {ProgramError} for an unknown call. */
export function withCallsNamed(
  messages: readonly ListedMessage[],
  earlier: readonly ListedMessage[],
): ListedMessage[] {
  const calls = new Map(
    earlier.flatMap(({ parts }) => parts.filter(isToolPart)).map((part) => [part.toolCallId, part]),
  );
  return messages.map(({ role, parts }) => ({
    role,
    parts: parts.map((part) => {
      if (part.type !== "dynamic-tool" || part.toolName !== "") return part;
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

/** The items that a message of a person or program reads as. */
export function inputItemsOf({ id, role, parts }: SessionMessage): JsonRecord[] {
  if (role !== "assistant") {
    const said = parts.filter(({ type }) => type === "text");
    const entries = said.map(({ text }) => ({ type: "input_text", text: String(text ?? "") }));
    if (entries.length === 0) return [];
    return [{ id: `msg_${id}`, type: "message", role, status: "completed", content: entries }];
  }
  return parts.flatMap((part, index): JsonRecord[] => {
    if (part.type === "text") {
      const entry = {
        type: "output_text",
        text: String(part.text ?? ""),
        annotations: [],
        logprobs: [],
      };
      return [
        { id: `msg_${id}_${index}`, type: "message", role, status: "completed", content: [entry] },
      ];
    }
    if (!isToolPart(part)) return [];
    const callId = String(part.toolCallId ?? "");
    const call = {
      id: `fc_${id}_${index}`,
      type: "function_call",
      call_id: callId,
      name: toolNameOf(part),
      arguments: JSON.stringify(part.input ?? {}),
      status: "completed",
    };
    if (!isAnswered(part)) return [call];
    const output =
      typeof part.output === "string" ? part.output : JSON.stringify(part.output ?? null);
    const result = {
      id: `fco_${id}_${index}`,
      type: "function_call_output",
      call_id: callId,
      output: part.state === "output-error" ? String(part.errorText ?? "") : output,
      status: "completed",
    };
    return [result];
  });
}

/** The text of a message's content. @throws {ProgramError} for images, files and audio. */
export function plainText(value: z.output<typeof content>, param: string): string {
  if (typeof value === "string") return value;
  return value
    .map((entry, index) => {
      const text = textContent.safeParse(entry);
      if (text.success) return text.data.text;
      const refused = refusal.safeParse(entry);
      if (refused.success) return refused.data.refusal;
      throw programError(
        "unsupported",
        `Content of type “${entry.type}” is not supported, only text.`,
        `${param}[${index}]`,
      );
    })
    .join("\n");
}

function isInstruction(item: InputItem): item is z.output<typeof messageItem> & {
  role: "system" | "developer";
} {
  return "role" in item && (item.role === "system" || item.role === "developer");
}

/** A model's call may hold text that is not JSON, or nested more deeply than anything reads. */
export function argumentsOf(text: string): unknown {
  if (isNestedTooDeeply(text)) return { arguments: text };
  try {
    return JSON.parse(text);
  } catch {
    return { arguments: text };
  }
}
