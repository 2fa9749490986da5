import { groupBy } from "../group-by";
import type { SessionMessage } from "../message";

/** Said text, tool calls with inputs and outputs, names of files and sources, or reasoning. */
export type SearchedPart = "text" | "tools" | "files" | "reasoning";

/** A message counts when `after <= createdAt < before`. */
export interface SearchOptions {
  /** Default 20, at most 100. */
  readonly limit?: number | undefined;
  readonly role?: SessionMessage["role"] | undefined;
  readonly before?: Date | undefined;
  readonly after?: Date | undefined;
  /** Treats the last word as unfinished. Default `true`. */
  readonly prefix?: boolean | undefined;
  /** `"any"`: one word suffices, hits with more and rarer ones come first. Default `"all"`. */
  readonly match?: "all" | "any" | undefined;
  /** A summary is text. Default: all but reasoning. */
  readonly parts?: readonly SearchedPart[] | undefined;
  /** When nothing is found, corrects spelling where the store can. Default `false`. */
  readonly forgiving?: boolean | undefined;
  /** Across sessions only. */
  readonly tag?: string | undefined;
  /** Stops reading texts where a store can; the search then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** `marks` are [start, end) offsets of matched words, in UTF-16 units. */
export interface Snippet {
  readonly text: string;
  readonly marks: readonly (readonly [number, number])[];
}

/** On the active path, on another branch, covered by a summary of the active path, or in a summary. */
export type SearchPlace = "active" | "branch" | "under-summary" | "summary";

export interface SearchHit {
  /** For a summary, the last message it covers. */
  readonly id: string;
  readonly sessionId: string;
  readonly role: SessionMessage["role"];
  readonly content: string;
  readonly createdAt: Date;
  /** Higher is better; comparable within one answer. */
  readonly score: number;
  readonly snippet: Snippet;
  readonly place: SearchPlace;
  /** `tools` where none of the words stands outside the calls of tools. */
  readonly part?: "tools" | undefined;
  readonly sessionTitle?: string | undefined;
  /** The corrected words, when only those were found. */
  readonly corrected?: string | undefined;
  /** `undefined` from stores that do not keep it. */
  readonly metadata?: unknown;
}

export interface SessionMatch {
  readonly sessionId: string;
  readonly sessionTitle?: string | undefined;
  /** That of its best hit. */
  readonly score: number;
  /** Best first: at most five, fewer for more than 20 sessions. */
  readonly hits: readonly SearchHit[];
}

const mostHits = 100;

/** Keeps the number of texts to be read about the same. */
export function hitsPerSession(sessions: number): number {
  return Math.max(2, Math.min(5, Math.floor(mostHits / Math.max(1, sessions))));
}

/** `hits` are best first. */
export function sessionMatches(hits: readonly SearchHit[], limit: number): SessionMatch[] {
  const bySession = [...groupBy(hits, ({ sessionId }) => sessionId)].slice(0, limit);
  return bySession.map(([sessionId, found]) => ({
    sessionId,
    sessionTitle: found[0]?.sessionTitle,
    score: found[0]?.score ?? 0,
    hits: found.slice(0, hitsPerSession(limit)),
  }));
}
