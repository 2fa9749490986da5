import { createStore } from "@/app/_ui/store";
import type { SearchHitWire } from "@/lib/chat/wire/search";
import { sessionAddress } from "./search-addresses";

export interface SearchCursor {
  readonly hits: readonly Pick<SearchHitWire, "id" | "sessionId" | "place" | "snippet">[];
  readonly at: number;
  readonly from: string;
}

export const searchCursor = createStore<SearchCursor | null>(null);

export function startCursor(next: SearchCursor): void {
  searchCursor.update((present) => ({ ...next, from: present?.from ?? next.from }));
}

export function nextHit({ hits, at }: Pick<SearchCursor, "hits" | "at">, step: 1 | -1): number {
  return (at + step + hits.length) % hits.length;
}

/** True on the page the search started from and in any session with a hit, because the URL lags behind. */
export function isAtHit({ hits, from }: Pick<SearchCursor, "hits" | "from">, pathname: string) {
  return (
    from.split("?")[0] === pathname ||
    hits.some(({ sessionId }) => sessionAddress(sessionId) === pathname)
  );
}
