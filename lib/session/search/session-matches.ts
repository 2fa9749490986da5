import { groupBy } from "@/lib/session/group-by";
import type { SearchHit } from "./search-types";

export interface SessionMatch {
  readonly sessionId: string;
  readonly sessionTitle?: string | undefined;
  /** Higher is better: the sum over its hits; comparable within one answer. */
  readonly score: number;
  /** Its best hits, best first, at most five. */
  readonly hits: readonly SearchHit[];
}

const maxHitsPerSession = 5;

export function sessionMatches(hits: readonly SearchHit[]): SessionMatch[] {
  const bySession = groupBy(hits, ({ sessionId }) => sessionId);
  const matches = [...bySession].map(([sessionId, found]) => ({
    sessionId,
    sessionTitle: found[0]?.sessionTitle,
    score: found.reduce((sum, { score }) => sum + score, 0),
    hits: found.toSorted((first, second) => second.score - first.score).slice(0, maxHitsPerSession),
  }));
  return matches.toSorted((first, second) => second.score - first.score);
}
