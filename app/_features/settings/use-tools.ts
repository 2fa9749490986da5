"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "@/app/_api/api";
import { queryKeys } from "@/app/_api/query-keys";
import type { ToolPolicy, ToolsWire } from "@/lib/chat/wire/tools";

export function useTools() {
  return useQuery({
    queryKey: queryKeys.tools,
    queryFn: ({ signal }) => api("GET /api/tools", { signal }),
  });
}

export function useChoosePolicy() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (policies: Readonly<Record<string, ToolPolicy>>) =>
      api("PATCH /api/tools", { body: { policies } }),
    onSuccess: (tools) => client.setQueryData<ToolsWire>(queryKeys.tools, tools),
  });
}
