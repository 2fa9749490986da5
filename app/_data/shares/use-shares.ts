"use client";

import { useQuery } from "@tanstack/react-query";
import type { z } from "zod";
import { api } from "@/app/_api/api";
import { queryKeys } from "@/app/_api/query-keys";
import { useWrite } from "@/app/_api/use-write";
import type { changeShareRequest, makeShareRequest, ShareWire } from "@/lib/chat/wire/shares";

export function useShares() {
  return useQuery({
    queryKey: queryKeys.shares,
    queryFn: ({ signal }) => api("GET /api/shares", { signal }),
  });
}

export function useMakeShare(sessionId: string) {
  return useWrite(
    (body: z.input<typeof makeShareRequest>) =>
      api("POST /api/sessions/:sessionId/shares", { params: { sessionId }, body }),
    queryKeys.shares,
  );
}

export function useChangeShare() {
  return useWrite(
    ({ id: shareId, ...body }: z.input<typeof changeShareRequest> & { id: string }) =>
      api("PATCH /api/shares/:shareId", { params: { shareId }, body }),
    queryKeys.shares,
  );
}

export function useStopShare() {
  return useWrite(
    (shareId: string) => api("DELETE /api/shares/:shareId", { params: { shareId } }),
    queryKeys.shares,
  );
}

export const audiences = {
  anyone: "Anyone with the link",
  house: "People of this Grove",
  people: "Named people",
} as const satisfies Record<ShareWire["audience"], string>;
