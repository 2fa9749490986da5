import type { UseQueryResult } from "@tanstack/react-query";

/** Parts shown together wait for it: one that came later would move what somebody is about to click. */
export function isFirstTry({ isLoading, failureCount }: UseQueryResult): boolean {
  return isLoading && failureCount === 0;
}
