import type { SearchOptions } from "./search-types";

const defaultLimit = 20;
const maxLimit = 100;

/** How many hits an answer holds. */
export function searchLimit({ limit = defaultLimit }: SearchOptions): number {
  return Math.max(0, Math.min(maxLimit, limit));
}
