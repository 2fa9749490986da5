"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/app/_api/api";
import { rereadMemory } from "@/app/_data/memory/use-blocks";
import { type AssistantWire, assistantsLabel, readAssistant } from "@/lib/chat/wire/assistants";

export interface AssistantChange {
  readonly key?: string;
  readonly title: string;
  readonly content: string;
  /** `null`: none has this key. */
  readonly expectedVersion?: number | null;
}

export function useWriteAssistant() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ key, ...body }: AssistantChange): Promise<AssistantWire> => {
      const blockId = assistantsLabel;
      const stored =
        key === undefined
          ? await api("POST /api/blocks/:blockId/entries", { params: { blockId }, body })
          : await api("PUT /api/blocks/:blockId/entries/:key", { params: { blockId, key }, body });
      const { version } = stored;
      return {
        ...readAssistant(stored.content, stored.title),
        ...{ key: stored.key, version, problem: null },
      };
    },
    onSuccess: () => rereadMemory(client),
  });
}
