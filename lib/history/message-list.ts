import type { SessionMessagePart } from "grove-session";
import { z } from "zod";
import { textHash } from "./chat-records";
import { contentParts } from "./content-parts";
import { list, moment, optionalText, orElse, parsedJson, text, unknown } from "./fields";
import {
  type ForeignChat,
  type ForeignNode,
  lostKind,
  reasoningPart,
  textPart,
  toolCall,
  toolResult,
} from "./foreign-chat";

const roles = {
  user: "user",
  assistant: "assistant",
  system: "system",
  developer: "system",
  tool: "assistant",
  function: "assistant",
} as const;

const calledFunction = orElse(z.object({ name: text, arguments: unknown }), { name: "" });

const message = z.object({
  id: text,
  role: z.enum(Object.keys(roles) as [keyof typeof roles]),
  name: text,
  parts: orElse(z.array(z.unknown()).nullish(), null),
  content: unknown,
  reasoning: text,
  reasoning_content: text,
  refusal: text,
  tool_calls: list(z.object({ id: text, function: calledFunction })),
  tool_call_id: text,
  createdAt: moment,
  metadata: orElse(z.object({ model: optionalText }), { model: null }),
});

type ListMessage = z.output<typeof message>;

const wrapped = z.object({ id: text, title: text, createdAt: moment, messages: list(message) });

export const isMessage = (value: unknown): boolean => message.safeParse(value).success;

export const isMessageList = (value: unknown): boolean =>
  typeof value === "object" &&
  value !== null &&
  "messages" in value &&
  Array.isArray(value.messages) &&
  value.messages.some(isMessage);

export function readMessageList(value: unknown, { fileName }: { fileName: string }): ForeignChat {
  const given = wrapped.parse(Array.isArray(value) ? { messages: value } : value);
  const losses = new Set<string>();
  const ids = given.messages.map(({ id }, at) => id || `message-${at + 1}`);
  const nodes = given.messages.map((said, at): ForeignNode => {
    return {
      id: ids[at] ?? "",
      parentId: ids[at - 1] ?? null,
      role: roles[said.role],
      parts: [
        ...(said.parts ?? []).flatMap((part) => partsOf(part, losses)),
        ...(said.parts ? [] : completionParts(said, losses)),
      ],
      createdAt: said.createdAt,
      model: said.metadata.model ?? undefined,
    };
  });
  return {
    id: given.id || `messages-${textHash(JSON.stringify(given.messages))}`,
    product: "Messages",
    title: given.title || fileName.replace(/\.json$/i, ""),
    createdAt: given.createdAt,
    updatedAt: null,
    isPinned: false,
    isArchived: false,
    tags: [],
    nodes,
    currentId: ids.at(-1) ?? null,
    instructions: [],
    losses: [...losses],
  };
}

const toolPart = z.object({
  type: z.string().regex(/^(dynamic-tool$|tool-)/),
  toolName: text,
  toolCallId: text,
  state: text,
  input: unknown,
  output: unknown,
  errorText: text,
});

const oldToolPart = z.object({
  type: z.literal("tool-invocation"),
  toolInvocation: z.object({ toolName: text, toolCallId: text, args: unknown, result: unknown }),
});

function partsOf(part: unknown, losses: Set<string>): SessionMessagePart[] {
  const { type, text: words } = z
    .object({ type: text, text: text })
    .catch({ type: "", text: "" })
    .parse(part);
  if (type === "text") return textPart(words);
  if (type === "reasoning") return reasoningPart(words);
  if (type === "step-start") return [];
  const old = oldToolPart.safeParse(part);
  if (old.success) {
    const { toolName, toolCallId, args, result } = old.data.toolInvocation;
    return [toolPartOf({ toolName, toolCallId, input: args, output: result, errorText: "" })];
  }
  const call = toolPart.safeParse(part);
  if (!call.success) {
    const { parts, lost } = contentParts([part]);
    for (const kind of lost) losses.add(lostKind(kind));
    return parts;
  }
  const { toolName, state, ...others } = call.data;
  const name = toolName || call.data.type.replace(/^tool-/, "");
  const errorText = state === "output-error" ? others.errorText || "The tool failed." : "";
  return [toolPartOf({ ...others, toolName: name, errorText })];
}

function toolPartOf(given: {
  readonly toolName: string;
  readonly toolCallId: string;
  readonly input?: unknown;
  readonly output?: unknown;
  readonly errorText: string;
}): SessionMessagePart {
  const { toolName, toolCallId, input, output, errorText } = given;
  const call = {
    type: "dynamic-tool",
    toolName: toolName || "tool",
    toolCallId,
    input: input ?? {},
  };
  if (errorText !== "") return { ...call, state: "output-error", errorText };
  return output === undefined
    ? { ...call, state: "input-available" }
    : { ...call, state: "output-available", output: parsedJson(output) };
}

function completionParts(said: ListMessage, losses: Set<string>): SessionMessagePart[] {
  const { id, name, content, reasoning, reasoning_content, refusal, tool_calls: calls } = said;
  const parts = wordsOf(content, losses);
  if (said.role === "tool" || said.role === "function") {
    const output = parts.map(({ text: words }) => words).join("\n\n");
    return [toolResult({ callId: said.tool_call_id || null, id: id || "result", name, output })];
  }
  return [
    ...reasoningPart(reasoning_content || reasoning),
    ...parts,
    ...textPart(refusal),
    ...calls.map(({ id: callId, function: called }, at) =>
      toolCall({
        id: callId || `call-${at}`,
        name: called.name,
        input: parsedJson(called.arguments),
      }),
    ),
  ];
}

function wordsOf(content: unknown, losses: Set<string>): SessionMessagePart[] {
  if (content === undefined || content === null) return [];
  const { parts, lost } = contentParts(Array.isArray(content) ? content : [content]);
  for (const kind of lost) losses.add(lostKind(kind));
  return parts;
}
