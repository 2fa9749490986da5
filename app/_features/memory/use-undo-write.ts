"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { apiGet, apiPath, apiSend, withQuery } from "@/app/_api/api";
import { ApiError } from "@/app/_api/api-error";
import type { EntryDocumentWire, VersionWire } from "@/lib/chat/wire/memory";
import type { MemoryWriteWire } from "@/lib/chat/wire/messages";
import { rereadMemory } from "./use-blocks";

/** Undoes an answer's memory write by writing the previous version again. */
export function useUndoWrite(sessionId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (write: MemoryWriteWire) => undoWrite(sessionId, write),
    onSuccess: () => rereadMemory(client),
  });
}

async function undoWrite(sessionId: string, write: MemoryWriteWire): Promise<void> {
  const scope = { session: sessionId };
  const path =
    write.key === undefined
      ? apiPath`/api/blocks/${blockIdOf(write)}`
      : apiPath`/api/blocks/${blockIdOf(write)}/entries/${write.key}`;
  const { versions } = await apiGet<{ versions: VersionWire[] }>(
    withQuery(`${path}/versions`, scope),
  );
  const content = contentBefore(versions, write.version);
  if (write.key !== undefined && content === null) {
    await apiSend("DELETE", withQuery(path, scope));
    return;
  }
  const title = write.key === undefined ? {} : { title: await titleOf(sessionId, write) };
  const body = { ...title, content: content ?? "", expectedVersion: write.version };
  await apiSend("PUT", withQuery(path, scope), body);
}

/** The content before `version`; `null` when there was none. */
function contentBefore(versions: readonly VersionWire[], version: number): string | null {
  const [newest] = versions;
  if (newest && newest.version !== version) {
    throw new ApiError("This has changed since. Open its history in Memory to choose a version.", {
      code: "block-conflict",
      status: 409,
    });
  }
  return versions.find((other) => other.version < version)?.content ?? null;
}

async function titleOf(sessionId: string, write: MemoryWriteWire): Promise<string> {
  const path = withQuery(apiPath`/api/blocks/${blockIdOf(write)}/entries`, { session: sessionId });
  const { entries } = await apiGet<{ entries: EntryDocumentWire[] }>(path);
  const { key, label } = write;
  return entries.find((entry) => entry.key === key)?.title ?? key ?? label;
}

/** Messages of an earlier version name their blocks by what is now the id. */
export function blockIdOf({ blockId, label }: Pick<MemoryWriteWire, "blockId" | "label">): string {
  return blockId ?? label;
}
