import type { SearchHitWire } from "@/lib/chat/wire/search";
import { sessionAddress } from "./search-addresses";

/** The hits of a search that is being walked through, and where the reader came from. */
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
    /** A walk begun within another one leads back to where that one began. */
    begin: (next: HitWalk) => change({ ...next, from: walk?.from ?? next.from }),
    end: () => change(null),
    moveTo: (at: number) => walk && change({ ...walk, at }),
  };
}

export const hitWalkStore = createHitWalkStore();

/** The hit after or before, around the ends. */
export function nextHit({ hits, at }: Pick<HitWalk, "hits" | "at">, step: 1 | -1): number {
  return (at + step + hits.length) % hits.length;
}

/**
 * Whether a page belongs to the walk: where it began, or any session with a hit. The address lags behind the hit that was
 * asked for, so it may still be the session of an earlier one.
 */
export function isOnWalk({ hits, from }: Pick<HitWalk, "hits" | "from">, pathname: string) {
  return (
    from.split("?")[0] === pathname ||
    hits.some(({ sessionId }) => sessionAddress(sessionId) === pathname)
  );
}
