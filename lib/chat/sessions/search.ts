import {
  isBlankQuery,
  parseQuery,
  type SearchHit,
  type SearchOptions,
  type SessionInfo,
} from "grove-session";
import type { SearchQuery, Snippet } from "grove-session/ports";
import { filesLabel } from "@/lib/chat/wire/knowledge";
import type { GroveMetadata } from "@/lib/chat/wire/messages";
import type { FileHitWire, SearchHitWire, SearchWire } from "@/lib/chat/wire/search";
import { toWire } from "@/lib/chat/wire/wire";

const maxTitles = 50;
const maxDocuments = 8;
const maxFiles = 8;
const maxLookedAt = 50;
/** The text of a file's entry is its hash. */
const none: Snippet = { text: "", marks: [] };

interface TitledSessions {
  get(sessionId: string): Promise<SessionInfo | null>;
  searchTitles(text: string, limit: number): Promise<SessionInfo[]>;
}

interface FileMatch extends Omit<FileHitWire, "snippet"> {
  readonly snippet: Snippet;
}

interface DocumentMatch {
  readonly label: string;
  readonly key: string | null;
  readonly title: Snippet;
  readonly sessionId: string | null;
  readonly snippet: Snippet;
}

export interface SearchableOwner {
  readonly store: {
    readonly sessions: TitledSessions & {
      search(query: SearchQuery, options: SearchOptions): Promise<SearchHit[]>;
      tags(): Promise<readonly { readonly tag: string }[]>;
    };
    messages(sessionId: string): {
      searchMessages(query: SearchQuery, options: SearchOptions): Promise<SearchHit[]>;
    };
  };
  programs(): Promise<readonly { readonly name: string }[]>;
  findDocuments(query: SearchQuery, options: { limit: number }): Promise<DocumentMatch[]>;
  findFiles(query: SearchQuery, options: { limit: number }): Promise<FileMatch[]>;
}

export interface SearchRequest {
  readonly input: string;
  readonly sessionId: string | null;
  readonly limit: number;
  readonly chatsOnly?: boolean;
  readonly signal?: AbortSignal | undefined;
}

export async function searchEverything(
  owner: SearchableOwner,
  { input, sessionId, limit, signal, chatsOnly = false }: SearchRequest,
): Promise<SearchWire> {
  const { sessions } = owner.store;
  const options = { limit, forgiving: !chatsOnly, signal };
  const asked = parseQuery(input);
  const named =
    asked.sessionId === undefined ? null : await sessionNamed(sessions, asked.sessionId);
  const program =
    asked.program === undefined ? null : programNamed(await owner.programs(), asked.program);
  const query = {
    ...asked,
    ...(named && { sessionId: named.session.id }),
    ...(program !== null && { program }),
  };
  const within = sessionId ?? named?.session.id ?? null;
  const { role, tag, before, after } = query;
  const filters = [role, tag, query.program, query.sessionId, before, after];
  const title = filters.some((filter) => filter !== undefined) ? "" : query.words;
  const everywhere = sessionId === null && !chatsOnly;
  const [hits, titles, documents, files] = await Promise.all([
    within === null
      ? sessions.search(query, options)
      : owner.store.messages(within).searchMessages(query, options),
    sessionId === null && title !== "" ? sessions.searchTitles(title, maxTitles) : [],
    everywhere ? owner.findDocuments(query, { limit: maxDocuments }) : [],
    everywhere ? owner.findFiles(query, { limit: maxFiles }) : [],
  ]);
  return {
    hits: summariesLast(hits).map(hitWire),
    sessions: titles.map(({ id, name, updatedAt }) => toWire({ id, title: name, updatedAt })),
    documents: documents.map(({ label, key, sessionId, title, snippet }) =>
      toWire({ label, key, sessionId, title, snippet: label === filesLabel ? none : snippet }),
    ),
    files: files.map((file) => toWire(file)),
    corrected: hits[0]?.corrected ?? null,
    isBlank: isBlankQuery(query),
    problems: [...query.problems, ...(await unmatched(owner, { query: asked, named, program }))],
  };
}

export function summariesLast<Hit extends Pick<SearchHit, "sessionId" | "place">>(
  hits: readonly Hit[],
): Hit[] {
  const rest = Map.groupBy(hits, ({ sessionId }) => sessionId);
  for (const [sessionId, members] of rest) {
    const isSummary = ({ place }: Hit) => place === "summary";
    const messages = members.filter((hit) => !isSummary(hit));
    rest.set(sessionId, [...messages, ...members.filter(isSummary)]);
  }
  return hits.flatMap(({ sessionId }) => rest.get(sessionId)?.shift() ?? []);
}

function hitWire(hit: SearchHit): SearchHitWire {
  const { id, sessionId, sessionTitle = "", role, createdAt, snippet, place, score } = hit;
  const { editedFrom }: GroveMetadata = hit.metadata ?? {};
  return {
    ...toWire({ id, sessionId, sessionTitle, role, createdAt, snippet, place, score }),
    ...(hit.part && { part: hit.part }),
    ...(editedFrom !== undefined && { isEdited: true }),
  };
}

async function unmatched(
  { store }: SearchableOwner,
  {
    query: { sessionId, tag, program: asked },
    named,
    program,
  }: { query: SearchQuery; named: NamedSession | null; program: string | null },
): Promise<string[]> {
  const problems: string[] = [];
  if (sessionId !== undefined && !named)
    problems.push(`No chat has “${sessionId}” as its id or in its title.`);
  if (named && !named.isSure)
    problems.push(
      `Several titles contain “${sessionId}”. Only “${named.session.name}”, the most recent, was searched.`,
    );
  if (tag !== undefined && !(await store.sessions.tags()).some((known) => known.tag === tag))
    problems.push(`No chat has the tag “${tag}”.`);
  if (asked !== undefined && program === null)
    problems.push(`No program called “${asked}” has chats.`);
  return problems;
}

function programNamed(
  programs: readonly { readonly name: string }[],
  asked: string,
): string | null {
  const wanted = asked.toLowerCase();
  const names = [...new Set(programs.map(({ name }) => name))];
  const exact = names.find((name) => name.toLowerCase() === wanted);
  const holding = names.filter((name) => name.toLowerCase().includes(wanted));
  return exact ?? (holding.length === 1 ? (holding[0] ?? null) : null);
}

export interface NamedSession {
  readonly session: SessionInfo;
  readonly isSure: boolean;
}

export async function sessionNamed(
  sessions: TitledSessions,
  name: string,
): Promise<NamedSession | null> {
  const known = await sessions.get(name);
  if (known) return { session: known, isSure: true };
  return bestNamed(await sessions.searchTitles(name, maxLookedAt), name);
}

function bestNamed(holding: readonly SessionInfo[], name: string): NamedSession | null {
  const wanted = name.toLowerCase();
  const exact = holding.filter((session) => session.name.toLowerCase() === wanted);
  const candidates = exact.length > 0 ? exact : holding;
  const [session] = candidates;
  return session ? { session, isSure: candidates.length === 1 } : null;
}
