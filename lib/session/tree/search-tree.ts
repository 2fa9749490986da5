import { matches, scoreOfParts, snippet } from "@/lib/session/search/match";
import type { SearchQuery } from "@/lib/session/search/query";
import type { SearchedPart, SearchHit, SearchPlace } from "@/lib/session/search/search-hits";
import { searchableText } from "@/lib/session/search/searchable-text";
import { tokenize } from "@/lib/session/search/tokenize";
import { fromStoredBody } from "@/lib/session/stored-body";
import { liveCompactions } from "./compactions";
import { liveRecords } from "./paths";
import type { SessionTree } from "./session-tree";
import { overlaysOnPath, visiblePath } from "./visible-path";

interface Candidate extends Pick<SearchHit, "id" | "role" | "content" | "createdAt" | "place"> {
  /** `content` without what tools wrote. */
  readonly said: string;
}

/** Messages and summaries that match a query, best first, newest first among equals. */
export function searchTree(tree: SessionTree, sessionId: string, query: SearchQuery): SearchHit[] {
  return [...messagesToSearch(tree, query.parts), ...summariesToSearch(tree, query.parts)]
    .filter((candidate) => passesFilters(candidate, query))
    .flatMap(({ said, ...candidate }) => {
      const all = tokenize(candidate.content);
      if (!matches(query, all)) return [];
      const score = scoreOfParts(query, {
        all,
        said: said === candidate.content ? all : tokenize(said),
      });
      return [{ ...candidate, sessionId, score, snippet: snippet(candidate.content, query) }];
    })
    .sort(byScore);
}

/** Best first; among equals the newer, then by id. */
export function byScore(first: SearchHit, second: SearchHit): number {
  const newer = second.createdAt.getTime() - first.createdAt.getTime();
  return second.score - first.score || newer || first.id.localeCompare(second.id);
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
    const said = searchableText(
      message,
      (parts ?? spoken).filter((part) => part !== "tools"),
    );
    return { id, role, createdAt, content, said, place: placeOf(id) };
  });
}

const spoken: readonly SearchedPart[] = ["text", "files"];

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
