import { z } from "zod";
import type { SessionMessagePart } from "@/lib/session";
import { anything, flag, list, moment, optionalText, text } from "./fields";
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

const message = z.object({
  uuid: text,
  parent_message_uuid: optionalText,
  sender: text,
  text: text,
  content: list(z.looseObject({ type: z.string() })),
  created_at: moment,
  attachments: list(z.object({ file_name: text, extracted_content: text })),
  files: list(z.object({ file_name: text, file_uuid: text })),
});

type Message = z.output<typeof message>;

const conversation = z.object({
  uuid: text,
  name: text,
  created_at: moment,
  updated_at: moment,
  is_starred: flag,
  current_leaf_message_uuid: optionalText,
  project: z.object({ name: text }).nullish().catch(null),
  chat_messages: list(message),
});

export const isClaude = (value: unknown): boolean =>
  typeof value === "object" && value !== null && "chat_messages" in value;

/** Of `conversations.json`. Older exports name no parents: their messages follow each other. */
export function readClaude(value: unknown): ForeignChat {
  const given = conversation.parse(value);
  const known = new Set(given.chat_messages.map(({ uuid }) => uuid));
  const hasParents = given.chat_messages.some(({ parent_message_uuid: id }) => id && known.has(id));
  const losses = new Set<string>();
  const nodes = given.chat_messages.map((said, at): ForeignNode => {
    const before = given.chat_messages[at - 1]?.uuid ?? null;
    const parent = said.parent_message_uuid;
    return {
      id: said.uuid,
      // The topmost has a parent that is no message.
      parentId: hasParents ? (parent && known.has(parent) ? parent : null) : before,
      role: said.sender === "human" ? "user" : "assistant",
      parts: [...filesOf(said), ...attachmentsOf(said), ...partsOf(said, losses)],
      createdAt: said.created_at,
    };
  });
  return {
    id: given.uuid,
    product: "Claude",
    title: given.name,
    createdAt: given.created_at,
    updatedAt: given.updated_at,
    isPinned: given.is_starred,
    isArchived: false,
    tags: given.project ? [given.project.name] : [],
    nodes,
    currentId: given.current_leaf_message_uuid ?? nodes.at(-1)?.id ?? null,
    instructions: [],
    losses: [...losses],
  };
}

function filesOf({ files }: Message): SessionMessagePart[] {
  return files.map(({ file_name: name, file_uuid: id }) =>
    exportedFilePart({ id: id || name, name }),
  );
}

/** Their text is in the export, the file is not. */
function attachmentsOf({ attachments }: Message): SessionMessagePart[] {
  return attachments.flatMap(({ file_name: name, extracted_content: words }) =>
    textPart(words && `${name || "Attachment"}:\n\n${words}`),
  );
}

/** Bookkeeping of the product, which nobody reads. */
const unseen = new Set(["token_budget", "flag"]);

function partsOf({ content, text: plain }: Message, losses: Set<string>): SessionMessagePart[] {
  const parts = content.flatMap((block, at): SessionMessagePart[] => {
    switch (block.type) {
      case "text":
      case "voice_note":
        return textPart(text.parse(block.text));
      case "thinking":
        return reasoningPart(text.parse(block.thinking));
      case "tool_use":
        return [
          toolCall({
            id: text.parse(block.id) || `call-${at}`,
            name: text.parse(block.name),
            input: block.input,
          }),
        ];
      case "tool_result": {
        const callId = text.parse(block.tool_use_id);
        const words = resultOf(block.content);
        return [
          toolResult({
            callId: callId || null,
            id: callId || `result-${at}`,
            name: text.parse(block.name),
            output: words,
            error: block.is_error === true ? String(words) : undefined,
          }),
        ];
      }
      default:
        if (!unseen.has(block.type)) losses.add(lostKind(block.type));
        return [];
    }
  });
  return parts.length > 0 ? parts : textPart(plain);
}

function resultOf(content: unknown): unknown {
  if (!Array.isArray(content)) return content ?? "";
  const words = content.map((each: unknown) => text.parse(anything.parse(each).text));
  return words.every((each) => each !== "") ? words.join("\n\n") : content;
}

const memories = list(z.object({ conversations_memory: text, project_memories: anything }));

/** Of `memories.json`. */
export function claudeMemories(value: unknown): string[] {
  return memories
    .parse(Array.isArray(value) ? value : [value])
    .flatMap(({ conversations_memory: general }) => (general.trim() === "" ? [] : [general]));
}

const project = z.object({ name: text, prompt_template: text });

/** Of `projects.json`. */
export function claudeProjectInstructions(value: unknown): string[] {
  return list(project)
    .parse(value)
    .flatMap(({ name, prompt_template: words }) =>
      words.trim() === "" ? [] : [`${name || "Project"}:\n\n${words}`],
    );
}
