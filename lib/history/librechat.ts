import type { SessionMessagePart } from "grove-session";
import { z } from "zod";
import { contentParts } from "./content-parts";
import {
  anything,
  flag,
  list,
  moment,
  optionalText,
  orElse,
  parsedJson,
  text,
  unknown,
} from "./fields";
import {
  blockOf,
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
  content: orElse(z.union([z.array(z.unknown()), z.string().transform((words) => [words])]), []),
  createdAt: moment,
  model: optionalText,
  unfinished: flag,
  children: list(unknown),
  files: list(z.object({ file_id: text, filename: text })),
});

type LibreChatMessage = z.output<typeof message>;

const conversation = z.object({
  conversationId: text,
  title: text,
  options: anything.pipe(
    z.object({ promptPrefix: optionalText, system: optionalText, model: optionalText }),
  ),
  messages: orElse(z.array(z.unknown()).nullish(), null),
  messagesTree: orElse(z.array(z.unknown()).nullish(), null),
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

const messages = list(message);

function flattened(given: readonly unknown[]): LibreChatMessage[] {
  const found: LibreChatMessage[] = [];
  const waiting: { value: unknown; parent: string | null }[] = [];
  const push = (values: readonly unknown[], parent: string | null) => {
    for (const value of values.toReversed()) waiting.push({ value, parent });
  };
  push(given, null);
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [said] = messages.parse([next.value]);
    if (!said) continue;
    found.push(next.parent === null ? said : { ...said, parentMessageId: next.parent });
    push(said.children, said.messageId);
  }
  return found;
}

function filesOf({ files }: LibreChatMessage): SessionMessagePart[] {
  return files.map(({ file_id: id, filename: name }) => exportedFilePart({ id: id || name, name }));
}

function partsOf(
  { content, text: plain }: LibreChatMessage,
  losses: Set<string>,
): SessionMessagePart[] {
  const parts = content.flatMap((given, at): SessionMessagePart[] => {
    const block = blockOf(given);
    switch (block.type) {
      case "text":
        return textPart(wordsIn(block.text));
      case "think":
        return reasoningPart(wordsIn(block.think));
      case "error":
        return textPart(wordsIn(block.error) || wordsIn(block.text));
      case "tool_call":
        return callParts(anything.parse(block.tool_call), at);
      case "image_file": {
        const { file_id: id, filename: name } = imageFile.parse(block.image_file);
        return [exportedFilePart({ id: id || name, name: name || "image" })];
      }
      default:
        losses.add(lostKind(block.type));
        return contentParts([block]).parts;
    }
  });
  return parts.some(({ type }) => type === "text") ? parts : [...parts, ...textPart(plain)];
}

const imageFile = orElse(z.object({ file_id: text, filename: text }), {
  file_id: "",
  filename: "",
});

/** Older assistants keep the call in an object named after its kind. */
function callParts(call: Record<string, unknown>, at: number): SessionMessagePart[] {
  const id = text.parse(call.id) || `call-${at}`;
  const kind = text.parse(call.type);
  const inner = anything.parse(call[kind]);
  const name = text.parse(call.name) || text.parse(inner.name) || kind;
  const input = call.args ?? inner.arguments ?? inner.input;
  const output = call.output ?? inner.output ?? inner.outputs;
  return [
    toolCall({ id, name, input: parsedJson(input) }),
    ...(output === undefined
      ? []
      : [toolResult({ callId: id, id, name, output: parsedJson(output) })]),
  ];
}

function wordsIn(given: unknown): string {
  return typeof given === "object" ? text.parse(anything.parse(given).value) : text.parse(given);
}
