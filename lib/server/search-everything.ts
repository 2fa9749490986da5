import type { SearchWire, SnippetWire } from "@/lib/chat/wire/search";
import { searchAllDocuments } from "@/lib/postgres";
import {
  isBlankQuery,
  isNarrowed,
  parseQuery,
  queryProblems,
  type SearchQuery,
  type Snippet,
  wordsOfLine,
} from "@/lib/session";
import type { OwnerServices } from "./owner-services";
import type { Services } from "./services";
import { type NamedSession, sessionNamed } from "./session-named";

const maxTitles = 5;
const maxDocuments = 8;

/**
 * One search over messages, summaries, titles and memory of an owner; with a session only over its messages. After `in:`
 * stands an id or a title; no storage knows titles in a line, so here it becomes the session that is searched.
 */
export async function searchEverything(
  { sql }: Services,
  owner: OwnerServices,
  { input, sessionId, limit }: { input: string; sessionId: string | null; limit: number },
): Promise<SearchWire> {
  const { sessions } = owner.store;
  const options = { limit, forgiving: true };
  const query = parseQuery(input);
  const named =
    query.sessionId === undefined ? null : await sessionNamed(sessions, query.sessionId);
  const within = sessionId ?? named?.session.id ?? null;
  // A title has neither an author nor a date of its own.
  const title = isNarrowed(query) ? "" : wordsOfLine(input);
  const [hits, titles, documents] = await Promise.all([
    within === null
      ? sessions.search(input, options)
      : owner.store.messages(within).searchMessages(input, options),
    sessionId === null && title !== "" ? sessions.searchTitles(title, maxTitles) : [],
    sessionId === null
      ? searchAllDocuments(sql, {
          ownerId: owner.ownerId,
          input,
          sessionId: named?.session.id,
          limit: maxDocuments,
        })
      : [],
  ]);
  return {
    hits: hits.map((hit) => ({
      id: hit.id,
      sessionId: hit.sessionId,
      sessionTitle: hit.sessionTitle ?? "",
      role: hit.role,
      createdAt: hit.createdAt.toISOString(),
      snippet: snippetWire(hit.snippet),
      place: hit.place,
      score: hit.score,
    })),
    sessions: titles.map((info) => ({
      id: info.id,
      title: info.name,
      updatedAt: info.updatedAt.toISOString(),
    })),
    documents: documents.map(({ label, key, title, snippet }) => ({
      label,
      key,
      title: snippetWire(title),
      snippet: snippetWire(snippet),
    })),
    corrected: hits[0]?.corrected ?? null,
    isBlank: isBlankQuery(query),
    problems: [...queryProblems(input), ...(await unmatched(owner, { query, named }))],
  };
}

function snippetWire({ text, marks }: Snippet): SnippetWire {
  return { text, marks: marks.map(([start, end]) => [start, end]) };
}

/** Filters that cannot match, or not what was meant, are said: nothing found looks the same as nothing there. */
async function unmatched(
  { store }: OwnerServices,
  { query: { sessionId, tag }, named }: { query: SearchQuery; named: NamedSession | null },
): Promise<string[]> {
  const problems: string[] = [];
  if (sessionId !== undefined && !named)
    problems.push(`No session has “${sessionId}” as its id or in its title.`);
  if (named && !named.isSure)
    problems.push(
      `Several titles hold “${sessionId}”; only “${named.session.name}”, used last, is searched.`,
    );
  if (tag !== undefined && !(await store.sessions.tags()).some((known) => known.tag === tag))
    problems.push(`No session has the tag “${tag}”.`);
  return problems;
}
