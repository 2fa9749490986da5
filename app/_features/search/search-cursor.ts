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

/** The hit after or before, around the ends. */
export function nextHit({ hits, at }: Pick<SearchCursor, "hits" | "at">, step: 1 | -1): number {
  return (at + step + hits.length) % hits.length;
}

/**
 * Whether a page belongs to the search: where it began, or any session with a hit. The address lags behind the requested
 * hit, so it may still be the session of an earlier one.
 */
export function isAtHit({ hits, from }: Pick<SearchCursor, "hits" | "from">, pathname: string) {
  return (
    from.split("?")[0] === pathname ||
    hits.some(({ sessionId }) => sessionAddress(sessionId) === pathname)
  );
}
