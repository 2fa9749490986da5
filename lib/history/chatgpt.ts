import { z } from "zod";
import type { SessionMessagePart } from "@/lib/session";
import { contentReference, withLinks } from "./chatgpt-citations";
import { anything, flag, list, moment, optionalText, text } from "./fields";
import {
  exportedFilePart,
  type ForeignChat,
  type ForeignNode,
  reasoningPart,
  textPart,
  toolCall,
  toolResult,
} from "./foreign-chat";

const attachment = z.object({ id: text, name: text });

const message = z.object({
  id: text,
  author: z.object({ role: text, name: optionalText }).catch({ role: "", name: null }),
  create_time: moment,
  content: anything,
  status: text,
  recipient: text,
  channel: optionalText,
  metadata: z
    .object({
      model_slug: optionalText,
      is_visually_hidden_from_conversation: flag,
      attachments: list(attachment),
      content_references: list(contentReference),
    })
    .catch({
      model_slug: null,
      is_visually_hidden_from_conversation: false,
      attachments: [],
      content_references: [],
    }),
});

type Message = z.output<typeof message>;

const node = z.object({
  id: text,
  message: message.nullish().catch(null),
  parent: optionalText,
  children: list(z.string()),
});

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

/** Of `conversations.json`, or of one of the many files since 2026. @throws when it is none. */
export function readChatGpt(value: unknown): ForeignChat {
  const given = conversation.parse(value);
  const losses: string[] = [];
  const instructions = new Set<string>();
  const found = Object.entries(given.mapping).flatMap(([key, each]) => {
    const result = node.safeParse(each);
    return result.success ? [{ key, ...result.data }] : [];
  });
  // Some exports name children alone, others parents alone.
  const parentOf = new Map(found.flatMap(({ key, children }) => children.map((id) => [id, key])));
  const nodes = found.map(({ key, message: said, parent }): ForeignNode => {
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
      parts: said ? [...attachmentsOf(said), ...partsOf(said, { key, losses })] : [],
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
    nodes,
    currentId: given.current_node ?? null,
    instructions: [...instructions],
    losses: [...new Set(losses)],
  };
}

function instructionsOf({ content }: Message): string[] {
  if (content.content_type !== "user_editable_context") return [];
  return [content.user_profile, content.user_instructions].flatMap((each) =>
    typeof each === "string" && each.trim() !== "" ? [each] : [],
  );
}

/** Images shown in the text are among the attachments, too. */
function attachmentsOf({ metadata, content }: Message): SessionMessagePart[] {
  const shown = new Map(metadata.attachments.map(({ id, name }) => [id, name]));
  for (const part of Array.isArray(content.parts) ? content.parts : []) {
    const { content_type: kind, asset_pointer: pointer } = assetOf(part);
    const id = pointer.split("://").at(-1)?.split("#")[0] ?? "";
    if (id !== "" && kind.includes("image") && !shown.has(id)) shown.set(id, "");
  }
  return [...shown].map(([id, name]) => exportedFilePart({ id, name }));
}

function partsOf(
  { author, content, recipient, metadata, channel }: Message,
  { key, losses }: { key: string; losses: string[] },
): SessionMessagePart[] {
  const kind = text.parse(content.content_type);
  if (metadata.is_visually_hidden_from_conversation || kind.endsWith("_editable_context"))
    return [];
  const words = withLinks(wordsOf(content, losses), metadata.content_references);
  if (author.role === "tool") {
    const name = author.name ?? "tool";
    return words === "" ? [] : [toolResult({ callId: null, id: key, name, output: words })];
  }
  if (kind === "thoughts") return reasoningPart(words);
  if (kind === "reasoning_recap") return [];
  if (author.role === "assistant" && recipient !== "" && recipient !== "all")
    return [toolCall({ id: key, name: recipient, input: inputOf(words) })];
  if (kind === "code") return textPart(fenced(words, text.parse(content.language)));
  return channel === "commentary" && kind !== "text" ? reasoningPart(words) : textPart(words);
}

function inputOf(words: string): unknown {
  try {
    const value: unknown = JSON.parse(words);
    if (typeof value === "object" && value !== null) return value;
  } catch {
    // Code is not JSON.
  }
  return { text: words };
}

function wordsOf(content: Message["content"], losses: string[]): string {
  const { parts, text: plain, result, thoughts } = content;
  if (Array.isArray(thoughts))
    return list(z.object({ summary: text, content: text }))
      .parse(thoughts)
      .map(({ summary, content: thought }) =>
        [summary && `**${summary}**`, thought].filter(Boolean).join("\n\n"),
      )
      .join("\n\n");
  if (Array.isArray(parts)) {
    const words = parts.map((part: unknown) =>
      typeof part === "string" ? part : wordsOfAsset(part, losses),
    );
    return words.filter((each) => each !== "").join("\n\n");
  }
  if (typeof plain === "string") return plain;
  if (typeof result === "string") return result;
  return "";
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
  else losses.push(`Content of the kind “${kind || "unknown"}” is not imported.`);
  return words;
}

/** A fence longer than any inside. */
function fenced(code: string, language: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language === "unknown" ? "" : language}\n${code}\n${fence}`;
}
