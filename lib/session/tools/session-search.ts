import { type Tool, tool } from "ai";
import { z } from "zod";
import type { SearchHit, SearchOptions } from "@/lib/session/search/search-types";
import { excerptText } from "@/lib/session/search/snippet";
import { answer } from "./answer";
import { nothingFound } from "./search-context";

type SearchSessions = (query: string, options?: SearchOptions) => Promise<SearchHit[]>;

/** The message a model is answering, excluded from its searches. */
export type AskingMessage = Pick<SearchHit, "sessionId" | "id">;

const maxHits = 10;

/** Searches past conversations, except for the asking message. */
export function sessionSearchTool(search: SearchSessions, asking?: AskingMessage): Tool {
  const query = z
    .string()
    .describe(
      'Words that must all occur; "a phrase", -without, role:user, before:2026-01-31, after:2026-01-01.',
    );
  return tool({
    description: "Search what was said in all past conversations.",
    inputSchema: z.object({ query }),
    execute: (input) =>
      answer(async () => (await searchAsText(search, input.query, asking)) ?? nothingFound),
  });
}

/** The best hits as text for a model, one per paragraph; `null` for none. */
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
