import type { SessionMessagePart } from "grove-session";
import { chatTree, type TreeMessage } from "./chat-tree";
import { type ExportedFile, exportedFileOf, type ForeignChat, named } from "./foreign-chat";

export const missingFiles = "Files are not in the export:";

const mostIdCharacters = 150;
const mostTitleCharacters = 200;
const mostTagCharacters = 50;
const mostTags = 20;
const mostParts = 25_000;

export interface ChatRecords {
  readonly id: string;
  readonly title: string;
  readonly lines: readonly string[];
  readonly messages: number;
  readonly branches: number;
  readonly losses: readonly string[];
}

export function enclosingLines(chats: number, now: Date): { header: string; end: string } {
  return {
    header: JSON.stringify({ type: "grove-export", format: 1, exportedAt: now.toISOString() }),
    end: JSON.stringify({ type: "end", sessions: chats }),
  };
}

export type FilePartOf = (file: ExportedFile) => SessionMessagePart | null;

export function chatRecords(chat: ForeignChat, filePartOf: FilePartOf): ChatRecords | null {
  const missing = new Set<string>();
  const nodes = chat.nodes.map((node) => ({
    ...node,
    parts: node.parts.flatMap((part) => {
      const file = exportedFileOf(part);
      if (!file) return [part];
      const stored = filePartOf(file);
      if (!stored) missing.add(file.name || file.id);
      return stored ? [stored] : [];
    }),
  }));
  const { messages, leafIds, losses: treeLosses } = chatTree({ ...chat, nodes });
  const losses = [...chat.losses, ...treeLosses];
  if (missing.size > 0) losses.push(`${missingFiles} ${named([...missing])}.`);
  if (messages.length === 0) return null;
  const id = idOf(chat.id);
  const ids = messageIds(messages);
  const messageId = (given: string) => ids.get(given) ?? given;
  const times = messages.flatMap(({ createdAt }) => createdAt ?? []).sort(byTime);
  const begun = chat.createdAt ?? times[0] ?? chat.updatedAt ?? new Date(0);
  const changed = chat.updatedAt ?? [begun, ...times].sort(byTime).at(-1) ?? begun;
  const session = {
    type: "session",
    id,
    title: titleOf(chat, messages),
    model: null,
    source: chat.product,
    tags: tagsOf(chat.tags),
    metadata: { importedFrom: { product: chat.product, id: chat.id } },
    parentSessionId: null,
    forkedAtMessageId: null,
    inputTokens: 0,
    outputTokens: 0,
    cost: 0,
    frozenPrompt: null,
    pinnedAt: chat.isPinned ? changed : null,
    archivedAt: chat.isArchived ? changed : null,
    createdAt: begun,
    updatedAt: changed,
    activeLeafId: leafIds.at(-1) === undefined ? null : messageId(String(leafIds.at(-1))),
    leafIds: leafIds.map(messageId),
  };
  let before = begun;
  const records = messages.map((message) => {
    before = message.createdAt ?? before;
    if (message.parts.length > mostParts)
      losses.push(
        `One message has ${message.parts.length} parts; the first ${mostParts} were taken.`,
      );
    return {
      type: "message",
      id: messageId(message.id),
      parentId: message.parentId === null ? null : messageId(message.parentId),
      role: message.role,
      createdAt: before,
      pinned: false,
      label: null,
      content: {
        parts: message.parts.slice(0, mostParts),
        ...(message.role === "assistant" && { metadata: metadataOf(message) }),
      },
    };
  });
  const end = { type: "session-end", id, messages: messages.length };
  return {
    id,
    title: session.title,
    lines: [session, ...records, end].map((record) => JSON.stringify(record)),
    messages: messages.length,
    branches: leafIds.length,
    losses,
  };
}

export const idHere = ({ id }: ForeignChat): string => idOf(id);

export function filesOf({ nodes }: ForeignChat): readonly ExportedFile[] {
  const files = nodes.flatMap(({ parts }) => parts.flatMap((part) => exportedFileOf(part) ?? []));
  return [...new Map(files.map((file) => [file.id, file])).values()];
}

function metadataOf({ model, isCutOff }: TreeMessage) {
  return { status: isCutOff ? "stopped" : "complete", ...(model && { model }) };
}

function titleOf({ title }: ForeignChat, messages: readonly TreeMessage[]): string {
  const question = messages.find(({ role }) => role === "user")?.parts.find(({ text }) => text);
  const shown = title.trim() || String(question?.text ?? "").trim() || "Untitled chat";
  return cut(shown.replace(/\s+/g, " "), mostTitleCharacters);
}

function tagsOf(tags: readonly string[]): string[] {
  const clean = tags.map((tag) => cut(tag.replace(/\s+/g, " ").trim(), mostTagCharacters));
  return [...new Set(clean.filter((tag) => tag !== ""))].slice(0, mostTags);
}

/** Ids of other products are kept where they can be ids here. */
function messageIds(messages: readonly TreeMessage[]): Map<string, string> {
  return new Map(messages.map(({ id }) => [id, idOf(id)]));
}

function idOf(id: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ids from elsewhere may hold them.
  const isUsable = id.length <= mostIdCharacters && /^[^\s\u0000-\u001f\ud800-\udfff]+$/u.test(id);
  return isUsable && !id.startsWith("compaction_") ? id : `imported-${textHash(id)}`;
}

const byTime = (one: Date, other: Date) => one.getTime() - other.getTime();

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${[...text.slice(0, most - 1)].slice(0, -1).join("")}…`;
}

/** The browser's own hash is missing on a plain http address. */
export function textHash(text: string): string {
  return hash53(text, 0x9e3779b9) + hash53(text, 0x85ebca6b);
}

function hash53(text: string, seed: number): string {
  let [high, low] = [0xdeadbeef ^ seed, 0x41c6ce57 ^ seed];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    high = Math.imul(high ^ code, 2_654_435_761);
    low = Math.imul(low ^ code, 1_597_334_677);
  }
  high =
    Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
  low =
    Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909);
  return (4_294_967_296 * (2_097_151 & low) + (high >>> 0)).toString(36).padStart(11, "0");
}
