"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { api } from "@/app/_api/api";
import { queryKeys } from "@/app/_api/query-keys";

/** Usage of the last `days`, or all with `null`, by days of this device's time zone. */
export function useUsage(days: number | null) {
  return useQuery({
    queryKey: queryKeys.usageOf(days),
    queryFn: ({ signal }) => {
      const tz = Intl.DateTimeFormat().resolvedOptions().timeZone;
      return api("GET /api/usage", { query: { days, tz }, signal });
    },
    placeholderData: keepPreviousData,
  });
}
