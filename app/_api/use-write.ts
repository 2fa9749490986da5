"use client";

import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";

export function useWrite<Input = void, Result = unknown>(
  write: (input: Input) => Promise<Result>,
  rereads: QueryKey,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: write,
    onSuccess: () => client.invalidateQueries({ queryKey: rereads }),
  });
}
