"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "@/app/_api/api";
import { queryKeys } from "@/app/_api/query-keys";
import { useSpace } from "@/app/_ui/use-space";
import type { ProjectWire } from "@/lib/chat/wire/projects";

export function useProjects({ deleted = false }: { deleted?: boolean } = {}) {
  return useQuery({
    queryKey: queryKeys.projectList(deleted),
    queryFn: ({ signal }) =>
      api("GET /api/projects", { query: { deleted: deleted ? 1 : null }, signal }),
    staleTime: 60_000,
  });
}

/** `undefined` until it is known, `null` in the person's own space and once it is gone. */
export function useProject(): ProjectWire | null | undefined {
  const space = useSpace();
  const { data } = useProjects();
  if (space === null) return null;
  return data && (data.projects.find(({ id }) => id === space) ?? null);
}

type ChangedProject = Pick<ProjectWire, "id"> &
  Partial<
    Pick<ProjectWire, "name" | "icon" | "defaultModel" | "defaultAssistant" | "personalMemory">
  >;

function useProjectWrite<Input, Result>(write: (input: Input) => Promise<Result>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: write,
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.projects }),
  });
}

export function useMakeProject() {
  return useProjectWrite((body: Pick<ProjectWire, "id" | "name">) =>
    api("POST /api/projects", { body }),
  );
}

export function useChangeProject() {
  return useProjectWrite(({ id, ...body }: ChangedProject) =>
    api("PATCH /api/projects/:spaceId", { params: { spaceId: id }, body }),
  );
}

export function useDeleteProject() {
  return useMutation({
    mutationFn: (spaceId: string) => api("DELETE /api/projects/:spaceId", { params: { spaceId } }),
  });
}

export function useRestoreProject() {
  return useProjectWrite((spaceId: string) =>
    api("POST /api/projects/:spaceId/restore", { params: { spaceId } }),
  );
}
