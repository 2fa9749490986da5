import type { SessionMessagePart } from "grove-session";
import { z } from "zod";
import { sourceLinks } from "./chatgpt-citations";
import { contentParts } from "./content-parts";
import { anything, flag, list, moment, optionalText, orElse, text, unknown } from "./fields";
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

const message = z.object({
  uuid: text,
  parent_message_uuid: optionalText,
  sender: text,
  text: text,
  content: list(unknown),
  created_at: moment,
  attachments: list(z.object({ file_name: text, extracted_content: text })),
  files: list(z.object({ file_name: text, file_uuid: text })),
});

type ClaudeMessage = z.output<typeof message>;

const conversation = z.object({
  uuid: text,
  name: text,
  created_at: moment,
  updated_at: moment,
  is_starred: flag,
  current_leaf_message_uuid: optionalText,
  project: orElse(z.object({ name: text }).nullish(), null),
  chat_messages: list(message),
});

export const isClaude = (value: unknown): boolean =>
  typeof value === "object" && value !== null && "chat_messages" in value;

/** Older exports name no parents, so messages follow each other. */
export function readClaude(value: unknown): ForeignChat {
  const given = conversation.parse(value);
  const ids = given.chat_messages.map(({ uuid }, at) => uuid || `message-${at + 1}`);
  const known = new Set(ids);
  const hasParents = given.chat_messages.some(({ parent_message_uuid: id }) => id && known.has(id));
  const losses = new Set<string>();
  const nodes = given.chat_messages.map((said, at): ForeignNode => {
    const before = ids[at - 1] ?? null;
    const parent = said.parent_message_uuid;
    return {
      id: ids[at] ?? "",
      // The topmost message has a parent that is no message.
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

function filesOf({ files }: ClaudeMessage): SessionMessagePart[] {
  return files.map(({ file_name: name, file_uuid: id }) =>
    exportedFilePart({ id: id || name, name }),
  );
}

/** An attachment's text is in the export, its file is not. */
function attachmentsOf({ attachments }: ClaudeMessage): SessionMessagePart[] {
  return attachments.flatMap(({ file_name: name, extracted_content: words }) =>
    words.trim() === ""
      ? [exportedFilePart({ id: name, name: name || "Attachment" })]
      : textPart(`${name || "Attachment"}:\n\n${words}`),
  );
}

const unseen = new Set(["token_budget", "flag"]);

function partsOf(
  { content, text: plain }: ClaudeMessage,
  losses: Set<string>,
): SessionMessagePart[] {
  const parts = content.flatMap((given, at): SessionMessagePart[] => {
    const block = blockOf(given);
    switch (block.type) {
      case "text":
      case "voice_note":
        return citedText(block.text, block.citations);
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
        const output = resultOf(block.content);
        const words = typeof output === "string" ? output : JSON.stringify(output);
        return [
          toolResult({
            callId: callId || null,
            id: callId || `result-${at}`,
            name: text.parse(block.name),
            output,
            error: block.is_error === true ? words : undefined,
          }),
        ];
      }
      default: {
        if (unseen.has(text.parse(block.type))) return [];
        losses.add(lostKind(block.type));
        return contentParts([block]).parts;
      }
    }
  });
  return parts.some(({ type }) => type === "text") ? parts : [...parts, ...textPart(plain)];
}

function resultOf(content: unknown): unknown {
  if (!Array.isArray(content)) return content ?? "";
  const blocks = content.map(blockOf);
  const isText = blocks.every(({ type, text: words }) => type === "text" && words !== "");
  return isText ? blocks.map(({ text: words }) => text.parse(words)).join("\n\n") : content;
}

const citation = z.object({ title: text, url: text, details: anything });

function citedText(words: unknown, citations: unknown): SessionMessagePart[] {
  const sources = list(citation)
    .parse(citations)
    .map(({ title, url, details }) => ({ title, url: url || text.parse(details.url) }));
  const said = text.parse(words);
  return textPart(said.trim() === "" ? said : said + sourceLinks(sources));
}

const memories = list(z.object({ conversations_memory: text, project_memories: anything }));

export function claudeMemories(value: unknown): string[] {
  return memories
    .parse(Array.isArray(value) ? value : [value])
    .flatMap(({ conversations_memory: general, project_memories: projects }) => [
      general,
      ...Object.values(projects).map((words) => text.parse(words)),
    ])
    .filter((words) => words.trim() !== "");
}

const project = z.object({ name: text, prompt_template: text, docs: list(unknown) });

export function claudeProject(value: unknown): {
  readonly texts: readonly string[];
  readonly documents: number;
} {
  const { name, prompt_template: words, docs } = project.parse(value);
  const texts = words.trim() === "" ? [] : [`${name || "Project"}:\n\n${words}`];
  return { texts, documents: docs.length };
}
