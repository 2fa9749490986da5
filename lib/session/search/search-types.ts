import type { SessionMessage } from "@/lib/session/message";

/** What narrows a search besides its words; a message counts when `after <= createdAt < before`. */
export interface SearchOptions {
  /** At most this many hits. Default 20, at most 100. */
  readonly limit?: number | undefined;
  readonly role?: SessionMessage["role"] | undefined;
  readonly before?: Date | undefined;
  readonly after?: Date | undefined;
  /** Treat the last word as unfinished. Default `true`. */
  readonly prefix?: boolean | undefined;
  /** When nothing is found, look for the words that were probably meant. Default `false`; only where the store can. */
  readonly forgiving?: boolean | undefined;
  /** Only sessions carrying this tag; across sessions only. */
  readonly tag?: string | undefined;
}

/** A piece of text around a hit. `marks` are [start, end) offsets of matched words within `text`, in UTF-16 units. */
export interface Snippet {
  readonly text: string;
  readonly marks: readonly (readonly [number, number])[];
}

/**
 * Where a hit lies: on the path the session opens at, beside it, folded under a summary of that path, or in a summary.
 */
export type SearchPlace = "active" | "branch" | "under-summary" | "summary";

/** A message or summary that a search found, with its score, its snippet and where it lies. */
export interface SearchHit {
  /** The message; for a summary, the last message it covers. */
  readonly id: string;
  readonly sessionId: string;
  readonly role: SessionMessage["role"];
  /** The searchable text of the message or summary. */
  readonly content: string;
  readonly createdAt: Date;
  /** Higher is better; comparable within one answer. */
  readonly score: number;
  readonly snippet: Snippet;
  readonly place: SearchPlace;
  readonly sessionTitle?: string | undefined;
  /** Set when the words of the query were found only after correcting these typing errors. */
  readonly corrected?: string | undefined;
}
