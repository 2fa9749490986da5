import { matches, rarities, saysAll, scoreOfParts, snippet } from "../search/match";
import type { SearchQuery } from "../search/query";
import type { SearchHit, SearchPlace } from "../search/search-hits";
import { saidText, searchableText } from "../search/searchable-text";
import { type Token, tokenize } from "../search/tokenize";
import { fromStoredBody } from "../stored-body";
import { liveCompactions } from "./compactions";
import { liveRecords } from "./paths";
import type { SessionTree } from "./session-tree";
import { overlaysOnPath, visiblePath } from "./visible-path";

interface Candidate extends Pick<SearchHit, "id" | "role" | "content" | "createdAt" | "place"> {
  /** `content` without the words of tools. */
  readonly said: string;
}

interface Match {
  readonly candidate: Candidate & Pick<SearchHit, "sessionId" | "sessionTitle">;
  readonly all: readonly Token[];
  readonly said: readonly Token[];
}

export function matchesIn(
  tree: SessionTree,
  session: Pick<SearchHit, "sessionId" | "sessionTitle">,
  query: SearchQuery,
): Match[] {
  return [...messagesToSearch(tree, query.parts), ...summariesToSearch(tree, query.parts)]
    .filter((candidate) => passesFilters(candidate, query))
    .flatMap((candidate) => {
      const all = tokenize(candidate.content);
      if (!matches(query, all)) return [];
      const said = candidate.said === candidate.content ? all : tokenize(candidate.said);
      return [{ candidate: { ...candidate, ...session }, all, said }];
    });
}

export function ranked(query: SearchQuery, found: readonly Match[]): SearchHit[] {
  const weights = rarities(
    query,
    found.map(({ all }) => all),
  );
  // Sorting keeps the order of equals: the last written comes first.
  return found
    .toReversed()
    .map(({ candidate: { said, ...hit }, ...tokens }) => {
      const ofSaid = snippet(said, query);
      return {
        ...hit,
        score: scoreOfParts(query, tokens, weights),
        snippet: saysAll(ofSaid, query) ? ofSaid : snippet(hit.content, query),
        ...(said !== hit.content && ofSaid.marks.length === 0 && { part: "tools" as const }),
      };
    })
    .sort(byScore);
}

function byScore(first: SearchHit, second: SearchHit): number {
  return second.score - first.score || second.createdAt.getTime() - first.createdAt.getTime();
}

function passesFilters(candidate: Candidate, query: SearchQuery): boolean {
  if (query.role && (candidate.role !== query.role || candidate.place === "summary")) return false;
  if (query.before && candidate.createdAt >= query.before) return false;
  return !(query.after && candidate.createdAt < query.after);
}

function messagesToSearch(tree: SessionTree, parts: SearchQuery["parts"]): Candidate[] {
  const placeOf = placesIn(tree);
  return liveRecords(tree).map(({ body }) => {
    const message = fromStoredBody(body);
    const { id, role, createdAt } = message;
    const content = searchableText(message, parts);
    return { id, role, createdAt, content, said: saidText(message, parts), place: placeOf(id) };
  });
}

function summariesToSearch(tree: SessionTree, parts: SearchQuery["parts"]): Candidate[] {
  if (parts && !parts.includes("text")) return [];
  return liveCompactions(tree).map(({ toMessageId, summary, createdAt }) => {
    return {
      id: toMessageId,
      role: "user",
      createdAt,
      content: summary,
      said: summary,
      place: "summary",
    };
  });
}

function placesIn(tree: SessionTree): (id: string) => SearchPlace {
  const covered = overlaysOnPath(tree, tree.activeLeafId).flatMap((overlay) => overlay.covered);
  const places = new Map<string, SearchPlace>();
  for (const { record } of covered) places.set(record.body.id, "under-summary");
  for (const entry of visiblePath(tree, tree.activeLeafId)) {
    if (entry.kind === "message") places.set(entry.record.body.id, "active");
  }
  return (id) => places.get(id) ?? "branch";
}
