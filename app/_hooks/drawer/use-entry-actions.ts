"use client";

import { toastError, toastUndo } from "@/app/_components/ui/toast";
import { errorSentence } from "@/app/_hooks/api/api-error";
import type { BlockScope } from "@/app/_hooks/api/query-keys";
import { useSkillLoading } from "@/app/_hooks/api/use-context-of";
import { useDeleteEntry, useWriteEntry } from "@/app/_hooks/api/use-entries";
import type { EntryDocumentWire } from "@/lib/chat/wire/memory";

/** What can be done with an entry of a keyed block besides editing it. */
export function useEntryActions(sessionId: BlockScope, label: string) {
  const deletion = useDeleteEntry(sessionId);
  const writing = useWriteEntry(sessionId);
  const loading = useSkillLoading(sessionId);

  function remove(entry: EntryDocumentWire) {
    deletion.mutate(
      { label, key: entry.key },
      {
        onSuccess: () => toastUndo(`“${entry.title}” deleted.`, () => putBack(entry)),
        onError: (error) => toastError(errorSentence(error), () => remove(entry)),
      },
    );
  }

  function putBack(entry: EntryDocumentWire) {
    const { key, title, description, content } = entry;
    writing.mutate(
      { label, key, title, content, ...(description === null ? {} : { description }) },
      { onError: (error) => toastError(errorSentence(error), () => putBack(entry)) },
    );
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
