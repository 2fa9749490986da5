"use client";

import { queryOptions, useQuery } from "@tanstack/react-query";
import type { ModelsWire } from "@/lib/chat/wire/settings";
import { apiGet } from "./api";
import { queryKeys } from "./query-keys";

export const modelsQuery = queryOptions({
  queryKey: queryKeys.models,
  queryFn: ({ signal }) => apiGet<ModelsWire>("/api/models", signal),
});

/** The models that can answer now, and what keeps others from it. */
export function useModels() {
  return useQuery(modelsQuery);
}
