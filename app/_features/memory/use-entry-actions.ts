"use client";

import type { BlockScope } from "@/app/_api/query-keys";
import { useSkillLoading } from "@/app/_features/context/use-context-of";
import { toastError, toastUndo } from "@/app/_ui/toast";
import type { BlockWire, EntryDocumentWire } from "@/lib/chat/wire/memory";
import { useDeleteEntry, useWriteEntry } from "./use-entries";

export function useEntryActions(sessionId: BlockScope, block: Pick<BlockWire, "id" | "label">) {
  const deletion = useDeleteEntry(sessionId);
  const writing = useWriteEntry(sessionId);
  const loading = useSkillLoading(sessionId);

  /** Deletes a skill with its files. */
  function remove(entry: EntryDocumentWire, files: readonly EntryDocumentWire[] = []) {
    deletion.mutate(
      { blockId: block.id, key: entry.key },
      {
        onSuccess: () =>
          toastUndo(`“${entry.title}” deleted.`, () => void restore([...files, entry])),
        onError: (error) => toastError(error, () => remove(entry, files)),
      },
    );
  }

  async function restore(entries: readonly EntryDocumentWire[]) {
    for (const [n, { key, title, description, content }] of entries.entries()) {
      try {
        const text = { title, content, ...(description === null ? {} : { description }) };
        await writing.mutateAsync({ blockId: block.id, key, ...text });
      } catch (error) {
        toastError(error, () => void restore(entries.slice(n)));
        return;
      }
    }
  }

  function setLoaded(entry: EntryDocumentWire, loaded: boolean) {
    loading.mutate(
      { label: block.label, key: entry.key, action: loaded ? "load" : "unload" },
      { onError: (error) => toastError(error) },
    );
  }

  return {
    remove,
    setLoaded,
    loadingKey: loading.isPending ? loading.variables.key : null,
  };
}

export type EntryActions = ReturnType<typeof useEntryActions>;
