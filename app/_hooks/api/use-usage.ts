"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { UsageWire } from "@/lib/chat/wire/usage";
import { apiGet, withQuery } from "./api";
import { queryKeys } from "./query-keys";

/** What was used in the last `days`, or ever with `null`, in days of this device's time zone. */
export function useUsage(days: number | null) {
  return useQuery({
    queryKey: queryKeys.usageOf(days),
    queryFn: ({ signal }) => {
      const tz = Intl.DateTimeFormat().resolvedOptions().timeZone;
      return apiGet<UsageWire>(withQuery("/api/usage", { days, tz }), signal);
    },
    placeholderData: keepPreviousData,
  });
}
