import type { SessionMessagePart } from "grove-session";
import { z } from "zod";
import { contentReference, sourceLinks, webSource, withLinks } from "./chatgpt-citations";
import { anything, flag, list, moment, optionalText, orElse, text } from "./fields";
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

const attachment = z.object({ id: text, name: text });

const message = z.object({
  id: text,
  author: anything.pipe(z.object({ role: text, name: optionalText })),
  create_time: moment,
  content: anything,
  status: text,
  recipient: text,
  channel: optionalText,
  metadata: anything.pipe(
    z.object({
      model_slug: optionalText,
      is_visually_hidden_from_conversation: flag,
      attachments: list(attachment),
      content_references: list(contentReference),
      citations: list(z.object({ metadata: anything.pipe(webSource) })),
      aggregate_result: anything.pipe(z.object({ messages: list(z.object({ image_url: text })) })),
    }),
  ),
});

type ChatGptMessage = z.output<typeof message>;

const node = z.object({
  id: text,
  message: orElse(message.nullish(), null),
  parent: optionalText,
  children: list(text),
});

const nodes = list(node.extend({ key: z.string() }));

const conversation = z.object({
  id: text,
  conversation_id: text,
  title: text,
  create_time: moment,
  update_time: moment,
  mapping: z.record(z.string(), z.unknown()),
  current_node: optionalText,
  default_model_slug: optionalText,
  gizmo_id: optionalText,
  is_archived: flag,
  is_starred: flag,
});

export const isChatGpt = (value: unknown): boolean =>
  typeof value === "object" && value !== null && "mapping" in value;

/** Exports since 2026 have many files. @throws when it is no chat. */
export function readChatGpt(value: unknown): ForeignChat {
  const given = conversation.parse(value);
  const losses: string[] = [];
  const unshown: string[] = [];
  const instructions = new Set<string>();
  const found = nodes.parse(
    Object.entries(given.mapping).map(([key, each]) => ({ ...anything.parse(each), key })),
  );
  // Some exports name children alone, others parents alone.
  const parentOf = new Map(found.flatMap(({ key, children }) => children.map((id) => [id, key])));
  const places = found.map(({ key, message: said, parent }): ForeignNode => {
    for (const each of said ? instructionsOf(said) : []) instructions.add(each);
    return {
      id: key,
      parentId: parent ?? parentOf.get(key) ?? null,
      role:
        said?.author.role === "user"
          ? "user"
          : said?.author.role === "system"
            ? "system"
            : "assistant",
      parts: said ? [...attachmentsOf(said), ...partsOf(said, { key, losses, unshown })] : [],
      createdAt: said?.create_time ?? null,
      model: said?.metadata.model_slug ?? given.default_model_slug ?? undefined,
      isCutOff: said?.status === "in_progress",
    };
  });
  return {
    id: given.conversation_id || given.id,
    product: "ChatGPT",
    title: given.title,
    createdAt: given.create_time,
    updatedAt: given.update_time,
    isPinned: given.is_starred,
    isArchived: given.is_archived,
    tags: [],
    nodes: places,
    currentId: given.current_node ?? null,
    instructions: [...instructions],
    unshown,
    losses: [...new Set(losses)],
  };
}

function instructionsOf({ content }: ChatGptMessage): string[] {
  if (!text.parse(content.content_type).endsWith("_editable_context")) return [];
  const { user_profile, user_instructions, model_set_context } = content;
  return [user_profile, user_instructions, model_set_context].flatMap((each) =>
    typeof each === "string" && each.trim() !== "" ? [each] : [],
  );
}

/** Images shown in the text are among the attachments, too. */
function attachmentsOf({ metadata, content }: ChatGptMessage): SessionMessagePart[] {
  const shown = new Map(metadata.attachments.map(({ id, name }) => [id || name, name]));
  const pictures = (Array.isArray(content.parts) ? content.parts : [])
    .map(assetOf)
    .flatMap((part) => (part.content_type.includes("image") ? [part.asset_pointer] : []));
  const plots = metadata.aggregate_result.messages.map(({ image_url: pointer }) => pointer);
  for (const pointer of [...pictures, ...plots]) {
    const id = pointer.split("://").at(-1)?.split("#")[0] ?? "";
    if (id !== "" && !shown.has(id)) shown.set(id, "");
  }
  return [...shown].map(([id, name]) => exportedFilePart({ id, name }));
}

function partsOf(
  { author, content, recipient, metadata, channel }: ChatGptMessage,
  { key, losses, unshown }: { key: string; losses: string[]; unshown: string[] },
): SessionMessagePart[] {
  const kind = text.parse(content.content_type);
  if (kind.endsWith("_editable_context")) return [];
  if (kind === "reasoning_recap") {
    unshown.push(text.parse(content.content));
    return [];
  }
  const said = wordsOf(content, losses);
  if (metadata.is_visually_hidden_from_conversation) {
    unshown.push(said);
    if (said.trim() !== "") losses.push("Messages that ChatGPT hides are not imported.");
    return [];
  }
  const cited = metadata.citations.map(({ metadata: source }) => source);
  const words = withLinks(said, metadata.content_references) + sourceLinks(cited);
  if (author.role === "tool") {
    const name = author.name ?? "tool";
    return words === "" ? [] : [toolResult({ callId: null, id: key, name, output: words })];
  }
  if (kind === "thoughts") return reasoningPart(words);
  if (author.role === "assistant" && recipient !== "" && recipient !== "all")
    return [toolCall({ id: key, name: recipient, input: inputOf(words) })];
  if (kind === "code") return textPart(fenced(words, text.parse(content.language)));
  return channel === "commentary" && kind !== "text" ? reasoningPart(words) : textPart(words);
}

function inputOf(words: string): unknown {
  try {
    const value: unknown = JSON.parse(words);
    if (typeof value === "object" && value !== null) return value;
  } catch {}
  return { text: words };
}

const wordKinds = new Set([
  ...["text", "multimodal_text", "code", "execution_output", "system_error", "thoughts"],
  ...["tether_browsing_display", "tether_quote", "sonic_webpage", "citable_code_output"],
]);

const wordFields = ["title", "url", "name", "text", "result", "output_str", "content"] as const;

function wordsOf(content: ChatGptMessage["content"], losses: string[]): string {
  const kind = text.parse(content.content_type);
  if (kind !== "" && !wordKinds.has(kind)) losses.push(lostKind(kind));
  const thoughts = Array.isArray(content.thoughts) ? list(thought).parse(content.thoughts) : [];
  const parts = Array.isArray(content.parts) ? content.parts : [];
  const words = [
    ...thoughts.map(thoughtWords),
    ...parts.map((part) => (typeof part === "string" ? part : wordsOfAsset(part, losses))),
    ...wordFields.map((field) => text.parse(content[field])),
    ...[content.thoughts, content.parts].map((each) =>
      Array.isArray(each) ? "" : text.parse(each),
    ),
  ];
  return words.filter((each) => each !== "").join("\n\n");
}

const thought = z.object({ summary: text, content: text });

function thoughtWords({ summary, content }: z.output<typeof thought>): string {
  return [summary && `**${summary}**`, content].filter(Boolean).join("\n\n");
}

const asset = z.object({ content_type: text, text: text, asset_pointer: text });

function assetOf(part: unknown): z.output<typeof asset> {
  return asset.parse(typeof part === "object" && part !== null ? part : {});
}

function wordsOfAsset(part: unknown, losses: string[]): string {
  const { content_type: kind, text: words } = assetOf(part);
  if (kind.startsWith("audio_transcription") || kind.includes("image")) return words;
  if (kind.includes("audio") || kind.includes("video"))
    losses.push("Recordings are not imported; their transcripts are.");
  else losses.push(lostKind(kind));
  return words;
}

function fenced(code: string, language: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language === "unknown" ? "" : language}\n${code}\n${fence}`;
}
