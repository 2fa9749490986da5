import {
  type McpServer,
  type Resource,
  ResourceNotFoundError,
  type ResourceTemplateType,
} from "@modelcontextprotocol/server";
import { markdownLines } from "@/lib/chat/data/markdown-lines";
import { Memory } from "@/lib/chat/memory/memory";
import { blockKinds } from "@/lib/chat/sessions/block-kinds";
import { isLog, requireSession } from "@/lib/chat/sessions/transcript";
import { answerRequest, badCursor, CallRefusedError } from "./answer-call";
import { chatOf } from "./chat-tools";
import { type ConnectedClient, may } from "./connected-client";
import { readable, readableBlock } from "./memory-tools";
import { listSkills, readSkill } from "./skills";

const chatsAtOnce = 100;
const maxChatCharacters = 1_000_000;

const mimeType = "text/markdown";

/** `grove://memory/LABEL`, `grove://memory/LABEL/KEY`, `grove://skills/LABEL/KEY`, `grove://chats/ID?leaf=ID`. */
export function registerResources(server: McpServer, client: ConnectedClient): void {
  if (!may(client, "memory:read", "skills:read", "chats:read")) return;
  server.server.registerCapabilities({ resources: {} });
  server.server.setRequestHandler("resources/list", ({ params }) =>
    answerRequest(client, () => listResources(client, params?.cursor)),
  );
  server.server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: templatesFor(client),
  }));
  server.server.setRequestHandler("resources/read", ({ params: { uri } }) =>
    answerRequest(client, async () => {
      const text = await readResource(client, uri);
      return { contents: [{ uri, mimeType, text }] };
    }),
  );
}

async function listResources(client: ConnectedClient, cursor: string | undefined) {
  const readsChats = may(client, "chats:read");
  if (cursor === undefined) {
    const [memory, skills] = await Promise.all([memoryResources(client), skillResources(client)]);
    return { resources: [...memory, ...skills], ...(readsChats && { nextCursor: "chats" }) };
  }
  const [kind, ofChats] = cursor.split(/:(.*)/s);
  if (kind !== "chats" || !readsChats) throw badCursor();
  const { sessions } = client.owner.store;
  const page = await sessions.list({ cursor: ofChats, limit: chatsAtOnce });
  const listed = page.sessions.filter((info) => !isLog(info));
  const resources = listed.map((info): Resource => {
    const { id, title } = chatOf(info);
    const uri = `grove://chats/${encodeURIComponent(id)}`;
    return { uri, name: title || "Untitled chat", mimeType };
  });
  const next = page.nextCursor === null ? {} : { nextCursor: `chats:${page.nextCursor}` };
  return { resources, ...next };
}

async function memoryResources(client: ConnectedClient): Promise<Resource[]> {
  if (!may(client, "memory:read")) return [];
  const texts = (await readable(client)).filter(({ kind }) => blockKinds[kind].mcp.isResource);
  return texts.map(({ label, description }) => ({
    uri: `grove://memory/${encodeURIComponent(label)}`,
    name: label,
    ...(description && { description }),
    mimeType,
  }));
}

async function skillResources(client: ConnectedClient): Promise<Resource[]> {
  if (!may(client, "skills:read")) return [];
  return (await listSkills(client)).map(({ label, key, title, description }) => ({
    uri: `grove://skills/${encodeURIComponent(label)}/${encodeURIComponent(key)}`,
    name: key,
    title,
    ...(description && { description }),
    mimeType,
  }));
}

function templatesFor(client: ConnectedClient): ResourceTemplateType[] {
  const entry = { uriTemplate: "grove://memory/{label}/{key}", name: "Memory entry", mimeType };
  const chat = { uriTemplate: "grove://chats/{chatId}{?leaf}", name: "Branch of a chat", mimeType };
  return [
    ...(may(client, "memory:read") ? [entry] : []),
    ...(may(client, "chats:read") ? [chat] : []),
  ];
}

/** @throws {ResourceNotFoundError} also when the client's key does not show it. */
async function readResource(client: ConnectedClient, uri: string): Promise<string> {
  const [, kind, place = "", query] = /^grove:\/\/(\w+)\/([^?#]+)(\?[^#]*)?$/.exec(uri) ?? [];
  const path = place.split("/").map(decoded);
  const text =
    kind === undefined || path.includes(null)
      ? null
      : await readPlace(client, {
          kind,
          path: path.filter((part) => part !== null),
          query: new URLSearchParams(query),
        });
  if (text === null) throw new ResourceNotFoundError(uri);
  return text;
}

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

interface ResourcePlace {
  readonly kind: string;
  readonly path: readonly string[];
  readonly query: URLSearchParams;
}

async function readPlace(
  client: ConnectedClient,
  { kind, path, query }: ResourcePlace,
): Promise<string | null> {
  const [first = "", key] = path;
  if (kind === "memory" && may(client, "memory:read")) {
    if (key === undefined) return (await readableBlock(client, first, "text")).content;
    const { id } = await readableBlock(client, first, "entries");
    return (await new Memory(client.owner, null).entry(id, key)).content;
  }
  if (kind === "skills" && key !== undefined && may(client, "skills:read"))
    return readSkill(client, first, key);
  if (kind === "chats" && may(client, "chats:read"))
    return chatAsMarkdown(client, first, query.get("leaf") ?? undefined);
  return null;
}

async function chatAsMarkdown(
  { owner }: ConnectedClient,
  sessionId: string,
  leafId: string | undefined,
): Promise<string> {
  const info = await requireSession(owner, sessionId);
  let text = "";
  for await (const line of markdownLines(owner.store.messages(sessionId), { info, leafId })) {
    text += line;
    if (text.length > maxChatCharacters) {
      throw new CallRefusedError(
        `This branch is longer than ${maxChatCharacters.toLocaleString("en")} characters. Read it in pages, with read_chat.`,
      );
    }
  }
  return text;
}
