import type { SearchOptions } from "./search-types";

const defaultLimit = 20;
const maxLimit = 100;

export function searchLimit({ limit = defaultLimit }: SearchOptions): number {
  return Math.max(0, Math.min(maxLimit, limit));
}
