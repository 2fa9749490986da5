"use client";

import { type QueryClient, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "@/app/_api/api";
import { queryKeys } from "@/app/_api/query-keys";
import type { ToolPolicy, ToolsWire, WriteServerRequest } from "@/lib/chat/wire/tools";

export function useTools() {
  return useQuery({
    queryKey: queryKeys.tools,
    queryFn: ({ signal }) => api("GET /api/tools", { signal }),
  });
}

export function useChoosePolicy() {
  return useToolsMutation((policies: Record<string, ToolPolicy>) =>
    api("PATCH /api/tools", { body: { policies } }),
  );
}

export function useWriteServer() {
  return useToolsMutation(({ id, ...body }: WriteServerRequest & { id: string }) =>
    api("PUT /api/tools/servers/:serverId", { params: { serverId: id }, body }),
  );
}

export function useRemoveServer() {
  return useToolsMutation((serverId: string) =>
    api("DELETE /api/tools/servers/:serverId", { params: { serverId } }),
  );
}

export function useReadServer() {
  return useToolsMutation((serverId: string) =>
    api("POST /api/tools/servers/:serverId/read", { params: { serverId } }),
  );
}

export function useSignIn() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (serverId: string) =>
      api("POST /api/tools/servers/:serverId/sign-in", { params: { serverId } }),
    onSuccess: ({ page }) => {
      if (page === null) return client.invalidateQueries({ queryKey: queryKeys.tools });
      location.assign(page);
    },
  });
}

function useToolsMutation<Variables>(act: (variables: Variables) => Promise<ToolsWire>) {
  const client: QueryClient = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSuccess: (tools) => {
      client.setQueryData(queryKeys.tools, tools);
      // The composer shows by them whether it offers the web.
      void client.invalidateQueries({ queryKey: queryKeys.models });
    },
  });
}
