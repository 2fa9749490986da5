"use client";

import { queryOptions, useQuery } from "@tanstack/react-query";
import { apiGet } from "@/app/_api/api";
import { queryKeys } from "@/app/_api/query-keys";
import type { ModelsWire } from "@/lib/chat/wire/settings";

export const modelsQuery = queryOptions({
  queryKey: queryKeys.models,
  queryFn: ({ signal }) => apiGet<ModelsWire>("/api/models", signal),
});

/** The models that can answer now, and what keeps others from it. */
export function useModels() {
  return useQuery(modelsQuery);
}
