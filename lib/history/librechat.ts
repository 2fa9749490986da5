import { z } from "zod";
import type { SessionMessagePart } from "@/lib/session";
import { anything, flag, list, moment, optionalText, parsedJson, text } from "./fields";
import {
  exportedFilePart,
  type ForeignChat,
  type ForeignNode,
  lostKind,
  reasoningPart,
  textPart,
  toolCall,
  toolResult,
} from "./foreign-chat";

const message = z.looseObject({
  messageId: text,
  parentMessageId: optionalText,
  isCreatedByUser: flag,
  text: text,
  content: list(z.looseObject({ type: z.string() })),
  createdAt: moment,
  model: optionalText,
  unfinished: flag,
  children: z.array(z.unknown()).catch([]),
  files: list(z.object({ file_id: text, filename: text })),
});

type Message = z.output<typeof message>;

const conversation = z.object({
  conversationId: text,
  title: text,
  options: z
    .object({ promptPrefix: optionalText, system: optionalText, model: optionalText })
    .catch({
      promptPrefix: null,
      system: null,
      model: null,
    }),
  messages: z.array(z.unknown()).nullish().catch(null),
  messagesTree: z.array(z.unknown()).nullish().catch(null),
  tags: list(z.string()),
});

export const isLibreChat = (value: unknown): boolean =>
  typeof value === "object" &&
  value !== null &&
  "conversationId" in value &&
  ("messages" in value || "messagesTree" in value);

export function readLibreChat(value: unknown): ForeignChat {
  const given = conversation.parse(value);
  const said = flattened(given.messagesTree ?? given.messages ?? []);
  const known = new Set(said.map(({ messageId }) => messageId));
  const prompt = given.options.promptPrefix ?? given.options.system ?? "";
  const [system] = textPart(prompt);
  const top = system ? "system-prompt" : null;
  const losses = new Set<string>();
  const nodes = said.map((each): ForeignNode => {
    const parent = each.parentMessageId;
    return {
      id: each.messageId,
      parentId: parent && known.has(parent) ? parent : top,
      role: each.isCreatedByUser ? "user" : "assistant",
      parts: [...filesOf(each), ...partsOf(each, losses)],
      createdAt: each.createdAt,
      model: each.model ?? given.options.model ?? undefined,
      isCutOff: each.unfinished && !each.isCreatedByUser,
    };
  });
  return {
    id: given.conversationId,
    product: "LibreChat",
    title: given.title,
    createdAt: null,
    updatedAt: null,
    isPinned: false,
    isArchived: false,
    tags: given.tags,
    nodes: [
      ...(system
        ? [
            {
              id: "system-prompt",
              parentId: null,
              role: "system",
              parts: [system],
              createdAt: null,
            } as const,
          ]
        : []),
      ...nodes,
    ],
    currentId: nodes.at(-1)?.id ?? null,
    instructions: [],
    losses: [...losses],
  };
}

/** A tree of children, or a list that names parents. */
function flattened(given: readonly unknown[]): Message[] {
  const found: Message[] = [];
  const waiting: { value: unknown; parent: string | null }[] = [];
  const push = (values: readonly unknown[], parent: string | null) => {
    for (const value of values.toReversed()) waiting.push({ value, parent });
  };
  push(given, null);
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const result = message.safeParse(next.value);
    if (!result.success) continue;
    const said = result.data;
    found.push(next.parent === null ? said : { ...said, parentMessageId: next.parent });
    push(said.children, said.messageId);
  }
  return found;
}

function filesOf({ files }: Message): SessionMessagePart[] {
  return files.map(({ file_id: id, filename: name }) => exportedFilePart({ id: id || name, name }));
}

function partsOf({ content, text: plain }: Message, losses: Set<string>): SessionMessagePart[] {
  const parts = content.flatMap((block, at): SessionMessagePart[] => {
    switch (block.type) {
      case "text":
        return textPart(wordsIn(block.text));
      case "think":
        return reasoningPart(wordsIn(block.think));
      case "tool_call": {
        const call = anything.parse(block.tool_call);
        const id = text.parse(call.id) || `call-${at}`;
        const name = text.parse(call.name) || text.parse(call.type);
        return [
          toolCall({ id, name, input: parsedJson(call.args) }),
          ...(call.output === undefined
            ? []
            : [toolResult({ callId: id, id, name, output: parsedJson(call.output) })]),
        ];
      }
      default:
        losses.add(lostKind(block.type));
        return [];
    }
  });
  return parts.length > 0 ? parts : textPart(plain);
}

/** A text, or an object around it. */
function wordsIn(given: unknown): string {
  return typeof given === "string" ? given : text.parse(anything.parse(given).value);
}
