"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "@/app/_api/api";
import { answerError, offlineError } from "@/app/_api/api-error";
import { queryKeys } from "@/app/_api/query-keys";
import type { DeleteDataRequest, ImportReportWire } from "@/lib/chat/wire/data";
import type { ErrorWire } from "@/lib/chat/wire/events";

export const deletePhrase: DeleteDataRequest["confirm"] = "delete everything";

export function useDataCounts({ enabled }: { enabled: boolean }) {
  return useQuery({
    queryKey: queryKeys.dataCounts,
    queryFn: ({ signal }) => api("GET /api/data", { signal }),
    enabled,
    staleTime: 0,
  });
}

export function useDeleteEverything() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api("DELETE /api/data", { body: { confirm: deletePhrase } }),
    // Not awaited and nothing cleared: the dialog still has to navigate away.
    onSuccess: () => void client.invalidateQueries(),
  });
}

const runningBackupMs = 1_000;

export function useBackups() {
  return useQuery({
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
    mutationFn: (file: File) => uploadExport(file, { onProgress }),
    onSettled: () => client.invalidateQueries(),
  });
}

/** `fetch` reports no upload progress. */
export function uploadExport(
  file: Blob,
  { onProgress, signal }: { onProgress?: (share: number) => void; signal?: AbortSignal },
): Promise<ImportReportWire> {
  return new Promise((done, fail) => {
    const request = new XMLHttpRequest();
    signal?.addEventListener("abort", () => request.abort(), { once: true });
    request.onabort = () => fail(signal?.reason);
    request.open("POST", "/api/import");
    request.setRequestHeader("Content-Type", "application/x-ndjson");
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(total > 0 ? loaded / total : 0);
    request.onerror = () => fail(offlineError(new Error("The upload was interrupted.")));
    request.onload = () => {
      const body = parsed(request.responseText);
      if (request.status === 200) done(body as ImportReportWire);
      else fail(answerError(request.status, body));
    };
    request.send(file);
  });
}

function parsed(text: string): ImportReportWire | ErrorWire | string {
  try {
    return JSON.parse(text) as ImportReportWire | ErrorWire;
  } catch {
    return text;
  }
}
