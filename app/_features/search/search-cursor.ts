import { createStore } from "@/app/_ui/store";
import type { SearchHitWire } from "@/lib/chat/wire/search";
import { sessionAddress } from "./search-addresses";

/** The hits of a search, the one in view, and the page the reader came from. */
export interface SearchCursor {
  readonly hits: readonly Pick<SearchHitWire, "id" | "sessionId" | "place">[];
  readonly at: number;
  readonly from: string;
}

/** The search whose hits are being stepped through; `null` when none is. */
export const searchCursor = createStore<SearchCursor | null>(null);

/** Starts at a hit. A search started during another one returns to where the first began. */
export function startCursor(next: SearchCursor): void {
  searchCursor.update((present) => ({ ...next, from: present?.from ?? next.from }));
}

/** The next or previous hit, wrapping around. */
export function nextHit({ hits, at }: Pick<SearchCursor, "hits" | "at">, step: 1 | -1): number {
  return (at + step + hits.length) % hits.length;
}

/**
 * Returns true on the page the search started from and in any session with a hit: the URL lags behind the requested
 * hit.
 */
export function isAtHit({ hits, from }: Pick<SearchCursor, "hits" | "from">, pathname: string) {
  return (
    from.split("?")[0] === pathname ||
    hits.some(({ sessionId }) => sessionAddress(sessionId) === pathname)
  );
}
