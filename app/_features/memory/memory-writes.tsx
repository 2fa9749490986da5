"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { NotebookPen } from "lucide-react";
import { api } from "@/app/_api/api";
import { ApiError, errorSentence } from "@/app/_api/api-error";
import { useTranscriptActions } from "@/app/_features/chat/chat-session-context";
import { useKeptState } from "@/app/_ui/use-kept-state";
import type { VersionWire } from "@/lib/chat/wire/memory";
import type { MemoryWriteWire } from "@/lib/chat/wire/messages";
import { targetName, writeWords } from "./proposals/write-words";
import { rereadMemory, useBlockLabel } from "./use-blocks";

export function MemoryWrites({ writes }: { writes: readonly MemoryWriteWire[] }) {
  return (
    <ul aria-label="Memory changes" className="my-2 flex flex-wrap gap-2">
      {writes.map((write) => (
        <li key={`${blockIdOf(write)}/${write.key ?? ""}/${write.version}`}>
          <WriteChip write={write} />
        </li>
      ))}
    </ul>
  );
}

export interface WriteChipProps {
  write: MemoryWriteWire;
  note?: string;
}

export function WriteChip({ write, note }: WriteChipProps) {
  const { sessionId } = useTranscriptActions();
  const undo = useUndoWrite(sessionId);
  const [isUndone, setIsUndone] = useKeptState(
    `${sessionId}/undone/${blockIdOf(write)}/${write.key ?? ""}/${write.version}`,
    false,
  );
  const label = useBlockLabel(sessionId, write);
  const name = targetName({ ...write, label });
  return (
    <span className="inline-flex flex-wrap items-center gap-2 rounded-md bg-accent-soft px-2.5 py-1 text-ink text-sm">
      <NotebookPen aria-hidden className="size-3.5 text-accent" />
      <span className={isUndone ? "text-muted line-through" : ""}>
        {writeWords(write.lines)} <em className="font-medium not-italic">{name}</em>
      </span>
      {note && <span className="text-muted">{note}</span>}
      <span aria-hidden className="text-faint">
        ·
      </span>
      {isUndone ? (
        <span className="text-muted">undone</span>
      ) : (
        <button
          type="button"
          className="rounded-xs font-medium text-accent underline decoration-accent/40 underline-offset-2 hover:decoration-accent disabled:opacity-50"
          disabled={undo.isPending}
          onClick={() => undo.mutate(write, { onSuccess: () => setIsUndone(true) })}
        >
          Undo<span className="sr-only"> change to {name}</span>
        </button>
      )}
      {undo.isError && (
        <span role="alert" className="text-danger text-xs">
          {errorSentence(undo.error)}
        </span>
      )}
    </span>
  );
}

/** Writes the previous version again. */
function useUndoWrite(sessionId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (write: MemoryWriteWire) => undoWrite(sessionId, write),
    onSuccess: () => rereadMemory(client),
  });
}

async function undoWrite(sessionId: string, write: MemoryWriteWire): Promise<void> {
  const query = { session: sessionId };
  const blockId = blockIdOf(write);
  const { key, version: expectedVersion } = write;
  if (key === undefined) {
    const params = { blockId };
    const { versions } = await api("GET /api/blocks/:blockId/versions", { params, query });
    const content = contentBefore(versions, expectedVersion) ?? "";
    await api("PUT /api/blocks/:blockId", { params, query, body: { content, expectedVersion } });
    return;
  }
  const params = { blockId, key };
  const { versions } = await api("GET /api/blocks/:blockId/entries/:key/versions", {
    params,
    query,
  });
  const content = contentBefore(versions, expectedVersion);
  if (content === null) {
    const seen = { ...query, expectedVersion };
    await api("DELETE /api/blocks/:blockId/entries/:key", { params, query: seen });
    return;
  }
  const body = { title: await titleOf(sessionId, write), content, expectedVersion };
  await api("PUT /api/blocks/:blockId/entries/:key", { params, query, body });
}

/** `null` when `version` is the first. */
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
  const { entries } = await api("GET /api/blocks/:blockId/entries", {
    params: { blockId: blockIdOf(write) },
    query: { session: sessionId },
  });
  const { key, label } = write;
  return entries.find((entry) => entry.key === key)?.title ?? key ?? label;
}

/** Messages of an earlier version name their blocks by what is now the id. */
function blockIdOf({ blockId, label }: Pick<MemoryWriteWire, "blockId" | "label">): string {
  return blockId ?? label;
}
