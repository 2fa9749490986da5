import type { SearchHitWire } from "@/lib/chat/wire/search";
import { sessionAddress } from "./search-addresses";

/** The hits being stepped through, and the page the reader came from. */
export interface HitWalk {
  readonly hits: readonly Pick<SearchHitWire, "id" | "sessionId" | "place">[];
  readonly at: number;
  readonly from: string;
}

function createHitWalkStore() {
  let walk: HitWalk | null = null;
  const listeners = new Set<() => void>();
  const change = (next: HitWalk | null) => {
    walk = next;
    for (const listener of listeners) listener();
  };
  return {
    read: () => walk,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** A search started during another one returns to where the first started. */
    begin: (next: HitWalk) => change({ ...next, from: walk?.from ?? next.from }),
    end: () => change(null),
    moveTo: (at: number) => walk && change({ ...walk, at }),
  };
}

export const hitWalkStore = createHitWalkStore();

/** The next or previous hit, wrapping around. */
export function nextHit({ hits, at }: Pick<HitWalk, "hits" | "at">, step: 1 | -1): number {
  return (at + step + hits.length) % hits.length;
}

/**
 * Returns true on the page the search started from and in any session with a hit: the URL lags behind the requested
 * hit.
 */
export function isOnWalk({ hits, from }: Pick<HitWalk, "hits" | "from">, pathname: string) {
  return (
    from.split("?")[0] === pathname ||
    hits.some(({ sessionId }) => sessionAddress(sessionId) === pathname)
  );
}
