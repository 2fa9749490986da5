"use client";

import { useQuery } from "@tanstack/react-query";
import { api } from "@/app/_api/api";
import { queryKeys } from "@/app/_api/query-keys";
import type { AssistantRef, AssistantWire } from "@/lib/chat/wire/assistants";
import type { ChatParameters } from "@/lib/chat/wire/request-fields";
import type { ModelsWire } from "@/lib/chat/wire/settings";

export function useAssistants({ isWanted = true }: { isWanted?: boolean } = {}) {
  return useQuery({
    queryKey: queryKeys.assistants,
    queryFn: ({ signal }) => api("GET /api/assistants", { signal }),
    enabled: isWanted,
    staleTime: 60_000,
  });
}

export function refOfAssistant({ key, version, name }: AssistantRef): AssistantRef {
  return { key, version, name };
}

export function assistantLabel({ icon, name }: Pick<AssistantWire, "icon" | "name">): string {
  return icon === null ? name : `${icon} ${name}`;
}

export interface AssistantChoice {
  readonly assistant: AssistantRef;
  readonly model?: string;
  readonly parameters?: ChatParameters;
}

/** Takes the assistant's model where listed, and parameters where it names any. */
export function choiceOf(
  assistant: AssistantWire,
  models: ModelsWire | undefined,
): { choice: AssistantChoice; goneModel: string | null } {
  const { model, parameters } = assistant;
  const isListed = models?.models.some(({ ref }) => ref === model) ?? true;
  return {
    choice: {
      assistant: refOfAssistant(assistant),
      ...(model !== null && isListed && { model }),
      ...(Object.keys(parameters).length > 0 && { parameters }),
    },
    goneModel: model !== null && !isListed ? model : null,
  };
}
