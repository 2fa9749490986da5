"use client";

import { RefreshCw } from "lucide-react";
import type { RefObject } from "react";
import { toastError } from "@/app/_api/toast-error";
import { useModels } from "@/app/_data/models/use-models";
import { useTranscriptActions } from "@/app/_message/chat-session-context";
import { loadedModelPanel as ModelPanel } from "@/app/_message/models/model-picker";
import { IconButton } from "@/app/_ui/button";
import type { EntryWire } from "@/lib/chat/wire/messages";

export function useRegenerate(entry: EntryWire): (model?: string) => void {
  const { answer } = useTranscriptActions();
  return (model) => {
    if (entry.parentId === null) return;
    answer(entry.parentId, model).catch(toastError);
  };
}

export function RegenerateButton({ entry }: { entry: EntryWire }) {
  const regenerate = useRegenerate(entry);
  return (
    <IconButton label="Regenerate" disabled={entry.parentId === null} onClick={() => regenerate()}>
      <RefreshCw aria-hidden />
    </IconButton>
  );
}

export interface RegenerateWithProps {
  readonly entry: EntryWire;
  readonly anchor: RefObject<HTMLElement | null>;
  readonly onClose: () => void;
}

export function RegenerateWith({ entry, anchor, onClose }: RegenerateWithProps) {
  const { data } = useModels();
  const regenerate = useRegenerate(entry);
  const { model } = entry.message.metadata ?? {};
  if (!data) return null;
  return (
    <ModelPanel
      anchor={anchor}
      title="Regenerate with another model"
      side="bottom"
      list={data}
      chosen={model === undefined ? [] : [model]}
      onChoose={(ref) => ref !== null && regenerate(ref)}
      onClose={onClose}
    />
  );
}

export function useHasOtherModels({ message }: EntryWire): boolean {
  const { data } = useModels();
  return (data?.models ?? []).some(({ ref }) => ref !== message.metadata?.model);
}
