"use client";

import { useQuery } from "@tanstack/react-query";
import { api } from "@/app/_api/api";
import { queryKeys } from "@/app/_api/query-keys";
import type { UseWire } from "@/lib/chat/wire/context";

const words: Record<UseWire["how"], string> = {
  prompt: "Used in the latest answer",
  found: "Found for the latest answer",
  loaded: "Loaded for the latest answer",
};

export function UsedMark({ use }: { use: UseWire }) {
  return (
    <span
      role="img"
      aria-label={words[use.how]}
      title={words[use.how]}
      className="size-2 shrink-0 rounded-full bg-accent"
    />
  );
}

export function usedAs(
  uses: readonly UseWire[],
  label: string,
  key: string | null = null,
): UseWire | null {
  return uses.find((use) => use.label === label && use.key === key) ?? null;
}

const nothing: readonly UseWire[] = [];

export function useUses(sessionId: string, messageId: string | null): readonly UseWire[] {
  const { data } = useQuery({
    queryKey: queryKeys.uses(sessionId, messageId ?? ""),
    queryFn: async ({ signal }) => {
      const { uses } = await api("GET /api/sessions/:sessionId/messages/:messageId/uses", {
        params: { sessionId, messageId: messageId ?? "" },
        signal,
      });
      return uses;
    },
    enabled: messageId !== null,
  });
  return data ?? nothing;
}
