import type { UseQueryResult } from "@tanstack/react-query";

/** Parts shown together wait for it: a later one would move the control somebody is about to press. */
export function isFirstTry({ isLoading, failureCount }: UseQueryResult): boolean {
  return isLoading && failureCount === 0;
}
