import type { Tool } from "ai";
import { excerptText } from "../search/match";
import type { SearchHit, SearchOptions } from "../search/search-hits";
import { nothingFound } from "./search-context";
import { answer, type ObjectSchema, toolInput } from "./tool-input";

type SearchSessions = (query: string, options?: SearchOptions) => Promise<SearchHit[]>;

/** The message a model is answering, excluded from its searches. */
export type AskingMessage = Pick<SearchHit, "sessionId" | "id">;

const maxHits = 10;

export type SessionSearchTool = Tool<{ readonly query: string }, string>;

const input: ObjectSchema = {
  type: "object",
  properties: {
    query: {
      type: "string",
      description:
        'Words that must all occur; "a phrase", -without, role:user, before:2026-01-31, after:2026-01-01.',
    },
  },
  required: ["query"],
};

export function sessionSearchTool(
  search: SearchSessions,
  asking?: AskingMessage,
): SessionSearchTool {
  return {
    description:
      "Search what was said in all past conversations, as when the person refers to one.",
    inputSchema: toolInput({ offered: input }),
    execute: ({ query }) =>
      answer(async () => (await searchAsText(search, query, asking)) ?? nothingFound),
  };
}

/** One hit per paragraph, best first; `null` for none. */
export async function searchAsText(
  search: SearchSessions,
  query: string,
  asking?: AskingMessage,
): Promise<string | null> {
  const found = await search(query, { limit: maxHits + 1, prefix: false });
  const isAsking = ({ sessionId, id, place }: SearchHit) =>
    sessionId === asking?.sessionId && id === asking.id && place !== "summary";
  const hits = found.filter((hit) => !isAsking(hit)).slice(0, maxHits);
  return hits.length > 0 ? hits.map(hitAsText).join("\n\n") : null;
}

function hitAsText({
  sessionTitle,
  sessionId,
  role,
  createdAt,
  place,
  snippet,
  content,
}: SearchHit): string {
  const who = place === "summary" ? "summary" : role;
  const day = createdAt.toISOString().slice(0, 10);
  return `[${sessionTitle ?? sessionId}, ${day}, ${who}]\n${excerptText(snippet, content)}`;
}
