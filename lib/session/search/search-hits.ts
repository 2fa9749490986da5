import { groupBy } from "@/lib/session/group-by";
import type { SessionMessage } from "@/lib/session/message";

/**
 * Text of a message by kind: what was said, tool calls with their inputs and outputs, names of files and sources, and
 * reasoning.
 */
export type SearchedPart = "text" | "tools" | "files" | "reasoning";

/** Filters of a search; a message counts when `after <= createdAt < before`. */
export interface SearchOptions {
  /** At most this many hits. Default 20, at most 100. */
  readonly limit?: number | undefined;
  readonly role?: SessionMessage["role"] | undefined;
  readonly before?: Date | undefined;
  readonly after?: Date | undefined;
  /** Treats the last word as unfinished. Default `true`. */
  readonly prefix?: boolean | undefined;
  /** `"all"`: every word must occur. `"any"`: one suffices, hits with more of them come first. Default `"all"`. */
  readonly match?: "all" | "any" | undefined;
  /** Searches only these parts of messages; a summary is text. Default: all but reasoning. */
  readonly parts?: readonly SearchedPart[] | undefined;
  /** When nothing is found, corrects spelling where the store can. Default `false`. */
  readonly forgiving?: boolean | undefined;
  /** Only sessions with this tag; across sessions only. */
  readonly tag?: string | undefined;
  /** Stops reading found texts where a store can; the search then rejects with its reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Text around a hit. `marks` are [start, end) offsets of matched words, in UTF-16 units. */
export interface Snippet {
  readonly text: string;
  readonly marks: readonly (readonly [number, number])[];
}

/** On the active path, on another branch, covered by a summary of the active path, or in a summary. */
export type SearchPlace = "active" | "branch" | "under-summary" | "summary";

export interface SearchHit {
  /** The message; for a summary, the last message it covers. */
  readonly id: string;
  readonly sessionId: string;
  readonly role: SessionMessage["role"];
  /** The searchable text. */
  readonly content: string;
  readonly createdAt: Date;
  /** Higher is better; comparable within one answer. */
  readonly score: number;
  readonly snippet: Snippet;
  readonly place: SearchPlace;
  readonly sessionTitle?: string | undefined;
  /** The corrected words, when only those were found. */
  readonly corrected?: string | undefined;
  /** Of the message, where the store has it. */
  readonly metadata?: unknown;
}

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
