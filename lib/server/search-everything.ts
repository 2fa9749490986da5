import type { SearchWire } from "@/lib/chat/wire";
import { searchAllDocuments } from "@/lib/postgres";
import { parseQuery, queryProblems } from "@/lib/session";
import type { OwnerServices } from "./owner-services";
import type { Services } from "./services";

const maxTitles = 5;
const maxDocuments = 8;

/** One search over messages, summaries, titles and memory of an owner; with a session only over its messages. */
export async function searchEverything(
  { sql }: Services,
  owner: OwnerServices,
  { input, sessionId, limit }: { input: string; sessionId: string | null; limit: number },
): Promise<SearchWire> {
  const { sessions } = owner.store;
  const options = { limit, forgiving: true };
  const [hits, titles, documents] = await Promise.all([
    sessionId === null
      ? sessions.search(input, options)
      : owner.store.messages(sessionId).searchMessages(input, options),
    sessionId === null && input.trim() !== "" ? sessions.searchTitles(input.trim(), maxTitles) : [],
    sessionId === null
      ? searchAllDocuments(sql, { ownerId: owner.ownerId, input, limit: maxDocuments })
      : [],
  ]);
  return {
    hits: hits.map((hit) => ({
      id: hit.id,
      sessionId: hit.sessionId,
      sessionTitle: hit.sessionTitle ?? "",
      role: hit.role,
      createdAt: hit.createdAt.toISOString(),
      snippet: {
        text: hit.snippet.text,
        marks: hit.snippet.marks.map(([start, end]) => [start, end]),
      },
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
      title,
      snippet: { text: snippet.text, marks: snippet.marks.map(([start, end]) => [start, end]) },
    })),
    corrected: hits[0]?.corrected ?? null,
    problems: await problemsOf(owner, input),
  };
}

/** Filters that cannot match are said, since nothing found looks the same as nothing there. */
async function problemsOf({ store }: OwnerServices, input: string): Promise<string[]> {
  const problems = queryProblems(input);
  const { sessionId, tag } = parseQuery(input);
  if (sessionId !== undefined && !(await store.sessions.get(sessionId)))
    problems.push(`No session has the id “${sessionId}”.`);
  if (tag !== undefined && !(await store.sessions.tags()).some((known) => known.tag === tag))
    problems.push(`No session has the tag “${tag}”.`);
  return problems;
}
