"use client";

import { ChevronDown, RefreshCw } from "lucide-react";
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

export interface RegenerateButtonsProps {
  readonly entry: EntryWire;
  readonly onWith: () => void;
}

export function RegenerateButtons({ entry, onWith }: RegenerateButtonsProps) {
  const regenerate = useRegenerate(entry);
  const hasOthers = useHasOtherModels(entry);
  const isRoot = entry.parentId === null;
  return (
    <>
      <IconButton label="Regenerate" disabled={isRoot} onClick={() => regenerate()}>
        <RefreshCw aria-hidden />
      </IconButton>
      {hasOthers && (
        <IconButton
          label="Regenerate with…"
          tooltip="none"
          aria-haspopup="dialog"
          disabled={isRoot}
          className="-ml-1.5 w-5"
          onClick={onWith}
        >
          <ChevronDown aria-hidden className="size-3.5!" />
        </IconButton>
      )}
    </>
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
