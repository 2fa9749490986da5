import type { SessionMessagePart } from "grove-session";
import { z } from "zod";
import { sourceLinks } from "./chatgpt-citations";
import { contentParts, heldFilePart } from "./content-parts";
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

const source = z.object({ source: anything.pipe(z.object({ name: text, url: text })) });

const message = z.object({
  id: text,
  parentId: optionalText,
  role: text,
  content: unknown,
  timestamp: moment,
  model: optionalText,
  done: z.boolean().nullish().catch(null),
  files: list(z.object({ id: text, name: text, type: text, url: text })),
  output: list(unknown),
  error: unknown,
  merged: orElse(z.object({ content: text }).nullish(), null),
  code_executions: list(unknown),
  sources: list(source),
  citations: list(source),
});

type OpenWebUiMessage = z.output<typeof message>;

const chat = z.object({
  title: text,
  history: orElse(z.object({ messages: anything, currentId: optionalText }).nullish(), null),
  messages: list(message),
  tags: list(z.union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)])),
  params: anything,
  system: optionalText,
  timestamp: moment,
});

const conversation = z.object({
  id: text,
  title: text,
  chat,
  created_at: moment,
  updated_at: moment,
  archived: flag,
  pinned: flag,
  meta: anything.pipe(z.object({ tags: list(text) })),
  folder: orElse(z.object({ name: text }).nullish(), null),
});

export const isOpenWebUi = (value: unknown): boolean =>
  typeof value === "object" &&
  value !== null &&
  "chat" in value &&
  typeof value.chat === "object" &&
  value.chat !== null &&
  ("history" in value.chat || "messages" in value.chat);

export function readOpenWebUi(value: unknown): ForeignChat {
  const given = conversation.parse(value);
  const { history, messages, params, system } = given.chat;
  const said = history
    ? list(message).parse(
        Object.entries(history.messages).map(([id, each]) => ({ ...anything.parse(each), id })),
      )
    : messages.map((each, at) => ({
        ...each,
        id: each.id || `message-${at}`,
        parentId: each.parentId ?? (at > 0 ? messages[at - 1]?.id || `message-${at - 1}` : null),
      }));
  const losses = new Set<string>();
  const prompt = text.parse(params.system) || system || "";
  const top: ForeignNode[] = textPart(prompt).map((part) => ({
    id: "system-prompt",
    parentId: null,
    role: "system",
    parts: [part],
    createdAt: null,
  }));
  return {
    id: given.id,
    product: "Open WebUI",
    title: given.title || given.chat.title,
    createdAt: given.created_at ?? given.chat.timestamp,
    updatedAt: given.updated_at,
    isPinned: given.pinned,
    isArchived: given.archived,
    tags: [...(given.folder ? [given.folder.name] : []), ...given.meta.tags, ...given.chat.tags],
    nodes: [...top, ...said.map((each) => nodeOf(each, { top: top[0]?.id ?? null, losses }))],
    currentId: history?.currentId ?? said.at(-1)?.id ?? null,
    instructions: [],
    losses: [...losses],
  };
}

function nodeOf(
  said: OpenWebUiMessage,
  { top, losses }: { top: string | null; losses: Set<string> },
): ForeignNode {
  return {
    id: said.id,
    parentId: said.parentId ?? top,
    role: said.role === "user" ? "user" : said.role === "system" ? "system" : "assistant",
    parts: [...filesOf(said), ...partsOf(said, losses)],
    createdAt: said.timestamp,
    model: said.model ?? undefined,
    isCutOff: said.done === false && said.role === "assistant",
  };
}

function filesOf({ files }: OpenWebUiMessage): SessionMessagePart[] {
  return files.map(({ id, name, type, url }) =>
    url.startsWith("data:")
      ? heldFilePart(url, name || type)
      : exportedFilePart({ id: id || name || type, name: name || type }),
  );
}

function partsOf(said: OpenWebUiMessage, losses: Set<string>): SessionMessagePart[] {
  const { content, merged, error, code_executions: executions, sources, citations } = said;
  const items = said.output.flatMap((item) => partsOfItem(blockOf(item), losses));
  const words = Array.isArray(content) ? contentParts(content) : null;
  for (const kind of words?.lost ?? []) losses.add(lostKind(kind));
  const plain = words?.parts ?? splitReasoning(text.parse(content));
  if (executions.length > 0) losses.add(lostKind("code_executions"));
  const cited = [...sources, ...citations].map(({ source: { name, url } }) => ({
    title: name,
    url: url || name,
  }));
  return [
    ...joined(items, plain),
    ...textPart(merged?.content ?? ""),
    ...textPart(errorWords(error)),
    ...textPart(sourceLinks(cited).trim()),
  ];
}

/** Newer versions keep items beside their text, which a person may have edited. */
function joined(
  items: readonly SessionMessagePart[],
  plain: readonly SessionMessagePart[],
): readonly SessionMessagePart[] {
  const isText = ({ type }: SessionMessagePart) => type === "text";
  if (plain.some((part) => !isText(part)) && !items.some(isText)) return plain;
  const said = items
    .filter(isText)
    .map(({ text: words }) => words)
    .join("\n\n");
  const edited = plain.filter((part) => isText(part) && !said.includes(String(part.text).trim()));
  return [...items, ...edited];
}

/** Older versions say `true` beside a text that is the error. */
function errorWords(error: unknown): string {
  if (typeof error !== "object" || error === null) return typeof error === "string" ? error : "";
  const { content, message: words, detail } = anything.parse(error);
  return [content, words, detail].map((each) => text.parse(each)).find((each) => each !== "") ?? "";
}

function partsOfItem(item: Record<string, unknown>, losses: Set<string>): SessionMessagePart[] {
  switch (item.type) {
    case "reasoning":
      return reasoningPart(wordsOf(item.content) || wordsOf(item.summary));
    case "message":
      return textPart(wordsOf(item.content));
    case "function_call":
      return [
        toolCall({
          id: text.parse(item.call_id) || text.parse(item.id),
          name: text.parse(item.name),
          input: parsedJson(item.arguments),
        }),
      ];
    case "function_call_output":
      return [
        toolResult({
          callId: text.parse(item.call_id) || null,
          id: text.parse(item.id) || "result",
          name: "tool",
          output: outputOf(item.output),
        }),
      ];
    default:
      losses.add(lostKind(item.type));
      return contentParts([item]).parts;
  }
}

function outputOf(output: unknown): unknown {
  const isText = Array.isArray(output) && output.every((each) => blockOf(each).text !== undefined);
  return isText ? wordsOf(output) : (output ?? "");
}

function wordsOf(content: unknown): string {
  if (typeof content === "string") return content;
  return list(z.object({ text: text }))
    .parse(content)
    .map(({ text: words }) => words)
    .filter((words) => words !== "")
    .join("\n\n");
}

const opening = /<details type="(reasoning|tool_calls|code_interpreter)"[^>]*>/;
const closing = "</details>";

/** Older versions keep reasoning and tool calls in the text, as HTML. */
export function splitReasoning(words: string): SessionMessagePart[] {
  const parts: SessionMessagePart[] = [];
  let rest = words;
  for (let found = opening.exec(rest); found; found = opening.exec(rest)) {
    const from = found.index + found[0].length;
    const to = rest.indexOf(closing, from);
    if (to === -1) break;
    parts.push(...textPart(rest.slice(0, found.index)));
    const inner = rest.slice(from, to).replace(/^\s*<summary>[^<]*<\/summary>\s*/, "");
    if (found[1] === "reasoning") parts.push(...reasoningPart(unquoted(inner)));
    else parts.push(...callIn(found[0], unquoted(inner), parts.length));
    rest = rest.slice(to + closing.length);
  }
  return [...parts, ...textPart(parts.length > 0 ? rest.trim() : rest)];
}

function callIn(tag: string, output: string, at: number): SessionMessagePart[] {
  const attribute = (name: string) => plain(new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? "");
  const id = attribute("id") || `call-${at}`;
  const name = attribute("name") || "tool";
  const result = attribute("result") || output;
  return [
    toolCall({ id, name, input: parsedJson(attribute("arguments")) }),
    toolResult({ callId: id, id, name, output: parsedJson(result) }),
  ];
}

const entities: Record<string, string> = {
  lt: "<",
  gt: ">",
  amp: "&",
  quot: '"',
  "#x27": "'",
  "#39": "'",
};

function plain(html: string): string {
  return html.replace(/&(lt|gt|amp|quot|#x27|#39);/g, (all, name: string) => entities[name] ?? all);
}

function unquoted(html: string): string {
  return plain(html).replace(/^> ?/gm, "").trim();
}
