"use client";

import { useMutation, useMutationState, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "@/app/_api/api";
import { queryKeys } from "@/app/_api/query-keys";
import { upload } from "@/app/_api/upload";
import type {
  DeleteDataRequest,
  DeletedDataWire,
  ImportChoices,
  ImportReportWire,
} from "@/lib/chat/wire/data";
import { linesForAllChats } from "./lines-for-all-chats";

export const deletePhrase: DeleteDataRequest["confirm"] = "delete everything";

const deletionSeenMs = 3_000;

export function useDataCounts({ isDeleting }: { isDeleting: boolean }) {
  return useQuery({
    queryKey: queryKeys.dataCounts,
    queryFn: ({ signal }) => api("GET /api/data", { signal }),
    staleTime: 0,
    refetchInterval: isDeleting && deletionSeenMs,
  });
}

export function useStorage() {
  return useQuery({
    queryKey: queryKeys.storage,
    queryFn: ({ signal }) => api("GET /api/files", { signal }),
    staleTime: 0,
  });
}

const deletingKey = ["delete-everything"];

export function useDeletion(): { isDeleting: boolean; error: Error | null } {
  const states = useMutationState({
    filters: { mutationKey: deletingKey },
    select: ({ state }) => state,
  });
  const last = states.at(-1);
  return { isDeleting: last?.status === "pending", error: last?.error ?? null };
}

/** @param onDone called even if the dialog was closed meanwhile. */
export function useDeleteEverything(onDone: (deleted: DeletedDataWire) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationKey: deletingKey,
    mutationFn: () => api("DELETE /api/data", { body: { confirm: deletePhrase } }),
    onSuccess: (deleted) => {
      // Not awaited and nothing cleared: the dialog still has to navigate away.
      void client.invalidateQueries();
      onDone(deleted);
    },
  });
}

const stopAgainMs = 500;

/** A deletion that was only just asked for has not begun. */
export function useStopDeleting() {
  return useMutation({
    mutationFn: async () => {
      const { isStopping } = await api("POST /api/data/stop");
      if (!isStopping) throw new Error("The deletion has not begun, or is over.");
    },
    retry: 20,
    retryDelay: stopAgainMs,
  });
}

const runningBackupMs = 1_000;

export function useBackups({ enabled }: { enabled: boolean }) {
  return useQuery({
    enabled,
    queryKey: queryKeys.backups,
    queryFn: ({ signal }) => api("GET /api/backups", { signal }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.runningSince ? runningBackupMs : false),
  });
}

export function useBackUpNow() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api("POST /api/backups"),
    onSuccess: (backups) => client.setQueryData(queryKeys.backups, backups),
  });
}

/** `onProgress` receives the share uploaded, from 0 to 1. */
export function useImport(onProgress: (share: number) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ file, accepted }: { file: File; accepted: readonly string[] }) =>
      upload("POST /api/import", withChoices(file, accepted), {
        ...{ contentType: exportType, onProgress, hasChoices: true },
      }),
    onSettled: () => client.invalidateQueries(),
  });
}

function withChoices(file: File, accepted: readonly string[]): Blob {
  const choices: ImportChoices = { type: "import-choices", accepted: [...accepted] };
  return new Blob([`${JSON.stringify(choices)}\n`, file]);
}

/** Sends lines for all chats alone, and writes nothing. */
export function useImportOffers() {
  return useMutation({
    mutationFn: async (file: File) =>
      upload("POST /api/import", await linesForAllChats(file), { contentType: exportType }),
  });
}

export function useUndoImport() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (changes: ImportReportWire["changes"]) =>
      api("POST /api/import/undo", { body: { changes } }),
    onSettled: () => client.invalidateQueries(),
  });
}

export const exportType = "application/x-ndjson";
