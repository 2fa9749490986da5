"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "@/app/_api/api";
import { queryKeys } from "@/app/_api/query-keys";
import type { HouseName } from "@/lib/chat/wire/accounts";
import { whenConfirmed } from "./confirm-person";
import { toastUnlessDismissed } from "./use-account";

export function useHouse() {
  return useQuery({
    queryKey: queryKeys.house,
    queryFn: ({ signal }) => api("GET /api/settings/house", { signal }),
  });
}

/** `null` takes a setting back. A failure is left to `onError`. */
export function useSaveHouse(name: HouseName, onError = toastUnlessDismissed) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (value: string | null) =>
      whenConfirmed(() => api("PATCH /api/settings/house", { body: { [name]: value } })),
    onSuccess: (house) => {
      client.setQueryData(queryKeys.house, house);
      for (const queryKey of [queryKeys.backups, queryKeys.models, queryKeys.settings])
        void client.invalidateQueries({ queryKey });
    },
    onError,
  });
}
