"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import { api } from "@/app/_api/api";
import { queryKeys } from "@/app/_api/query-keys";
import { useWrite } from "@/app/_api/use-write";
import { whenConfirmed } from "@/app/_data/accounts/confirm-person";
import type { changeKeyRequest, createKeyRequest } from "@/lib/chat/wire/keys";

export function useKeys() {
  return useQuery({
    queryKey: queryKeys.programKeys,
    queryFn: ({ signal }) => api("GET /api/keys", { signal }),
  });
}

/** The secret is in the answer, and nowhere else. */
export function useCreateKey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (key: z.input<typeof createKeyRequest>) =>
      whenConfirmed(() => api("POST /api/keys", { body: key })),
    onSuccess: (_, { newProject }) => {
      if (newProject !== undefined) void client.invalidateQueries({ queryKey: queryKeys.projects });
      return client.invalidateQueries({ queryKey: queryKeys.programKeys });
    },
  });
}

export function useChangeKey(keyId: string) {
  return useWrite(
    (body: z.input<typeof changeKeyRequest>) =>
      api("PATCH /api/keys/:keyId", { params: { keyId }, body }),
    queryKeys.programKeys,
  );
}

export function useRevokeKey() {
  return useWrite(
    (keyId: string) => api("DELETE /api/keys/:keyId", { params: { keyId } }),
    queryKeys.programKeys,
  );
}
