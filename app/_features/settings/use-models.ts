"use client";

import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/app/_api/api";
import { queryKeys } from "@/app/_api/query-keys";

export const modelsQuery = queryOptions({
  queryKey: queryKeys.models,
  queryFn: ({ signal }) => api("GET /api/models", { signal }),
});

export function useModels() {
  return useQuery(modelsQuery);
}
