"use client";

import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { api } from "@/app/_api/api";
import { queryKeys } from "@/app/_api/query-keys";
import { useProject } from "@/app/_data/projects/use-projects";
import { storedInSpace } from "@/app/_ui/page-space";
import { createStore, createStores } from "@/app/_ui/store";
import type { ModelsWire, ModelWire } from "@/lib/chat/wire/settings";

export const modelsQuery = queryOptions({
  queryKey: queryKeys.models,
  queryFn: ({ signal }) => api("GET /api/models", { signal }),
});

/** The default is that of the page's project, if it has one. */
export function useModels() {
  const inProject = useProject()?.defaultModel;
  const select = useCallback(
    (list: ModelsWire): ModelsWire =>
      inProject && list.models.some(({ ref }) => ref === inProject)
        ? { ...list, defaultModel: inProject, defaultChoice: "project" }
        : list,
    [inProject],
  );
  return useQuery({ ...modelsQuery, select });
}

export function useOwnModels() {
  return useQuery(modelsQuery);
}

export function useMarkModel() {
  const client = useQueryClient();
  const show = ({ ref, ...mark }: ModelMark) =>
    client.setQueryData(modelsQuery.queryKey, (list) => {
      if (!list) return list;
      const models = list.models.map((model) =>
        model.ref === ref ? { ...model, ...mark } : model,
      );
      return { ...list, models };
    });
  return useMutation({
    mutationFn: (modelMark: ModelMark) => api("PATCH /api/settings", { body: { modelMark } }),
    onMutate: show,
    onError: () => client.invalidateQueries({ queryKey: queryKeys.models }),
  });
}

interface ModelMark {
  readonly ref: string;
  readonly isFavorite?: boolean;
  readonly isHidden?: boolean;
}

export function modelName(model: ModelWire, models: readonly ModelWire[]): string {
  const isAmbiguous = models.some(({ ref, label }) => ref !== model.ref && label === model.label);
  return isAmbiguous ? `${model.label} · ${model.provider}` : model.label;
}

export function useModelName(): (ref: string) => string {
  const { data } = useModels();
  return useCallback(
    (ref) => {
      const model = data?.models.find((model) => model.ref === ref);
      return data && model ? modelName(model, data.models) : ref;
    },
    [data],
  );
}

export const togetherModels = createStores((draftKey) =>
  createStore<readonly string[]>([], {
    name: storedInSpace(`together:${draftKey}`),
    parse: (stored) =>
      Array.isArray(stored) ? stored.filter((ref) => typeof ref === "string") : null,
    serialize: (refs) => (refs.length === 0 ? null : refs),
  }),
);

export function moveTogether(from: string, to: string): readonly string[] {
  const together = togetherModels(from).read();
  if (together.length > 0) {
    togetherModels(to).update(() => together);
    togetherModels(from).update(() => []);
  }
  return together;
}
