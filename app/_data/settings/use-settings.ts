"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import { api } from "@/app/_api/api";
import { queryKeys } from "@/app/_api/query-keys";
import { useServerEvent } from "@/app/_api/server-events";
import { modelsQuery } from "@/app/_data/models/use-models";
import type { changeSettingsRequest, writeProviderRequest } from "@/lib/chat/wire/settings";

export function useSettings() {
  return useQuery({
    queryKey: queryKeys.settings,
    queryFn: ({ signal }) => api("GET /api/settings", { signal }),
  });
}

export function useChangeSettings() {
  const reread = useReread();
  return useMutation({
    mutationFn: (change: z.input<typeof changeSettingsRequest>) =>
      api("PATCH /api/settings", { body: change }),
    onSuccess: reread,
  });
}

/** Returns why listing the models failed. A key is only ever sent, never read back. */
export function useWriteProvider() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({
      id,
      ...body
    }: z.input<typeof writeProviderRequest> & { id: string }): Promise<string | null> => {
      await api("PUT /api/settings/providers/:providerId", { params: { providerId: id }, body });
      const [{ problems }] = await Promise.all([
        client.fetchQuery({ ...modelsQuery, staleTime: 0 }),
        client.invalidateQueries({ queryKey: queryKeys.settings }),
        client.invalidateQueries({ queryKey: queryKeys.ollama }),
      ]);
      return problems.find(({ label }) => label === body.name)?.message ?? null;
    },
  });
}

export function useDeleteProvider() {
  const reread = useReread();
  return useMutation({
    mutationFn: (id: string) =>
      api("DELETE /api/settings/providers/:providerId", { params: { providerId: id } }),
    onSuccess: reread,
  });
}

export function useSettingsEvents(): void {
  const reread = useReread();
  useServerEvent(({ type }) => {
    if (type === "settings-changed") void reread();
  });
}

function useReread() {
  const client = useQueryClient();
  return () =>
    Promise.all([
      client.invalidateQueries({ queryKey: queryKeys.settings }),
      client.invalidateQueries({ queryKey: queryKeys.models }),
      client.invalidateQueries({ queryKey: queryKeys.programKeys }),
      client.invalidateQueries({ queryKey: queryKeys.tools }),
      client.invalidateQueries({ queryKey: queryKeys.prompts }),
      client.invalidateQueries({ queryKey: queryKeys.projects }),
      client.invalidateQueries({ queryKey: queryKeys.house }),
    ]);
}

export function useAbout() {
  return useQuery({
    queryKey: queryKeys.about,
    queryFn: ({ signal }) => api("GET /api/about", { signal }),
  });
}
