import type { McpServer } from "@modelcontextprotocol/server";
import {
  isToolPart,
  MessageNotFoundError,
  type SessionInfo,
  type SessionMessage,
  toolNameOf,
} from "grove-session";
import type { WindowEntry } from "grove-session/ports";
import { z } from "zod";
import { cleanText } from "@/lib/chat/core/clean-text";
import { searchEverything } from "@/lib/chat/sessions/search";
import { isLog, requireSession } from "@/lib/chat/sessions/transcript";
import { answerCall, badCursor } from "./answer-call";
import { type ConnectedClient, may } from "./connected-client";

const chatsAtOnce = 50;
const messagesAtOnce = 50;
const charactersAtOnce = 100_000;

const reads = { readOnlyHint: true, openWorldHint: false } as const;
const role = z.enum(["system", "user", "assistant"]);

const chatSchema = z.object({
  id: z.string(),
  title: z.string(),
  messageCount: z.number(),
  updatedAt: z.string(),
});

const hitSchema = z.object({
  chatId: z.string(),
  chatTitle: z.string(),
  messageId: z.string(),
  role,
  createdAt: z.string(),
  excerpt: z.string(),
  place: z
    .enum(["active", "branch", "under-summary", "summary"])
    .describe("On the chat's active branch, on another, or in a summary."),
});

const messageSchema = z.object({
  id: z.string(),
  role,
  createdAt: z.string(),
  text: z.string(),
  otherVersions: z
    .array(z.string())
    .describe("The previous and next message beside it, where the chat branches."),
});

export function registerChatTools(server: McpServer, client: ConnectedClient): void {
  if (may(client, "chats:search")) registerSearch(server, client);
  if (may(client, "chats:read")) registerReading(server, client);
}

function registerSearch(server: McpServer, client: ConnectedClient): void {
  server.registerTool(
    "search_chats",
    {
      title: "Search chats",
      description: "Search what was said in all chats of this place, on every branch; best first.",
      inputSchema: z.object({
        query: z
          .string()
          .min(1)
          .max(1_000)
          .describe(
            'Words that must all occur; "a phrase", -without, role:user, before:2026-01-31, after:2026-01-01, tag:name, program:name, in:title.',
          ),
        limit: z.int().min(1).max(100).default(20),
      }),
      outputSchema: z.object({
        found: z.array(hitSchema),
        correctedQuery: z.string().nullable(),
        problems: z.array(z.string()).describe("Reasons why results may be missing."),
      }),
      annotations: reads,
    },
    ({ query, limit }) =>
      answerCall(client, async () => {
        const input = cleanText(query);
        const answer = await searchEverything(client.owner, { input, sessionId: null, limit });
        return {
          found: answer.hits.map((hit) => ({
            chatId: hit.sessionId,
            chatTitle: hit.sessionTitle,
            messageId: hit.id,
            role: hit.role,
            createdAt: hit.createdAt,
            excerpt: hit.snippet.text,
            place: hit.place,
          })),
          correctedQuery: answer.corrected,
          problems: answer.problems,
        };
      }),
  );
}

function registerReading(server: McpServer, client: ConnectedClient): void {
  const { sessions } = client.owner.store;
  server.registerTool(
    "list_chats",
    {
      title: "List chats",
      description: "List the chats of this place: pinned first, then the most recently used.",
      inputSchema: z.object({ cursor: z.string().max(500).optional() }),
      outputSchema: z.object({ chats: z.array(chatSchema), nextCursor: z.string().optional() }),
      annotations: reads,
    },
    ({ cursor }) =>
      answerCall(client, async () => {
        const page = await sessions.list({ cursor, limit: chatsAtOnce });
        const next = page.nextCursor === null ? {} : { nextCursor: page.nextCursor };
        return { chats: page.sessions.filter((info) => !isLog(info)).map(chatOf), ...next };
      }),
  );
  server.registerTool(
    "read_chat",
    {
      title: "Read a chat",
      description:
        "Read one branch of a chat: its newest messages, oldest first. Continue with the cursor towards the beginning.",
      inputSchema: z.object({
        chatId: z.string().min(1).max(200),
        messageId: z
          .string()
          .min(1)
          .max(200)
          .optional()
          .describe("The message the branch ends with. Default: the end of the active branch."),
        cursor: z.string().max(20).optional(),
      }),
      outputSchema: z.object({
        chat: chatSchema,
        messages: z.array(messageSchema),
        nextCursor: z.string().optional(),
      }),
      annotations: reads,
    },
    (input) => answerCall(client, () => readBranch(client, input)),
  );
}

interface BranchPage {
  readonly chatId: string;
  readonly messageId?: string | undefined;
  readonly cursor?: string | undefined;
}

async function readBranch({ owner }: ConnectedClient, { chatId, messageId, cursor }: BranchPage) {
  const info = await requireSession(owner, chatId);
  const before = cursor === undefined ? undefined : Number(cursor);
  if (before !== undefined && !(Number.isSafeInteger(before) && before > 0)) throw badCursor();
  const window = await owner.store.messages(chatId).getWindow({
    leafId: messageId,
    beforePosition: before,
    limit: messagesAtOnce,
    overlays: false,
  });
  if (messageId !== undefined && window.leafId === null) throw new MessageNotFoundError(messageId);
  const shown = newestWithin(window.entries);
  const [first] = shown;
  const hasMore = window.hasMore || shown.length < window.entries.length;
  return {
    chat: chatOf(info),
    messages: shown.map(messageOf),
    ...(first && hasMore && { nextCursor: String(first.position) }),
  };
}

function newestWithin(entries: readonly WindowEntry[]): readonly WindowEntry[] {
  let characters = 0;
  const tooFar = entries.toReversed().findIndex(({ message }) => {
    const isPast = characters > charactersAtOnce;
    characters += messageText(message).length;
    return isPast;
  });
  return tooFar === -1 ? entries : entries.slice(entries.length - tooFar);
}

function messageOf({ message, siblings }: WindowEntry): z.output<typeof messageSchema> {
  return {
    id: message.id,
    role: message.role,
    createdAt: message.createdAt.toISOString(),
    text: messageText(message),
    otherVersions: [siblings.previousId, siblings.nextId].filter((id) => id !== null),
  };
}

export function messageText({ parts }: Pick<SessionMessage, "parts">): string {
  const texts = parts.flatMap((part) => {
    if (part.type === "text" && typeof part.text === "string") return part.text;
    return isToolPart(part) ? `[used ${toolNameOf(part)}]` : [];
  });
  return texts.filter((text) => text !== "").join("\n\n");
}

export function chatOf(info: SessionInfo): z.output<typeof chatSchema> {
  const { id, name, messageCount, updatedAt } = info;
  return { id, title: name, messageCount, updatedAt: updatedAt.toISOString() };
}
