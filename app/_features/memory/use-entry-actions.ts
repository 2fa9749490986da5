"use client";

import { errorSentence } from "@/app/_api/api-error";
import type { BlockScope } from "@/app/_api/query-keys";
import { useSkillLoading } from "@/app/_features/context/use-context-of";
import { toastError, toastUndo } from "@/app/_ui/toast";
import type { EntryDocumentWire } from "@/lib/chat/wire/memory";
import { useDeleteEntry, useWriteEntry } from "./use-entries";

/** What can be done with an entry of a keyed block besides editing it. */
export function useEntryActions(sessionId: BlockScope, label: string) {
  const deletion = useDeleteEntry(sessionId);
  const writing = useWriteEntry(sessionId);
  const loading = useSkillLoading(sessionId);

  /** With a skill its files go. */
  function remove(entry: EntryDocumentWire, files: readonly EntryDocumentWire[] = []) {
    deletion.mutate(
      { label, key: entry.key },
      {
        onSuccess: () =>
          toastUndo(`“${entry.title}” deleted.`, () => void putBack([...files, entry])),
        onError: (error) => toastError(errorSentence(error), () => remove(entry, files)),
      },
    );
  }

  async function putBack(entries: readonly EntryDocumentWire[]) {
    for (const [n, { key, title, description, content }] of entries.entries()) {
      try {
        const text = { title, content, ...(description === null ? {} : { description }) };
        await writing.mutateAsync({ label, key, ...text });
      } catch (error) {
        toastError(errorSentence(error), () => void putBack(entries.slice(n)));
        return;
      }
    }
  }

  function setLoaded(entry: EntryDocumentWire, loaded: boolean) {
    loading.mutate(
      { label, key: entry.key, action: loaded ? "load" : "unload" },
      { onError: (error) => toastError(errorSentence(error)) },
    );
  }

  return {
    remove,
    setLoaded,
    /** The key of the skill whose loading is under way. */
    loadingKey: loading.isPending ? loading.variables.key : null,
  };
}

export type EntryActions = ReturnType<typeof useEntryActions>;
