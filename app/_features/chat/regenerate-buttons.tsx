"use client";

import { ChevronDown, RefreshCw } from "lucide-react";
import { useModels } from "@/app/_features/settings/use-models";
import { IconButton } from "@/app/_ui/button";
import { Menu, MenuItem, MenuLabel } from "@/app/_ui/menu";
import { toastError } from "@/app/_ui/toast";
import type { EntryWire } from "@/lib/chat/wire/messages";
import type { ModelWire } from "@/lib/chat/wire/settings";
import { useTranscriptActions } from "./chat-session-context";

export function useRegenerate(entry: EntryWire): (model?: string) => void {
  const { answer } = useTranscriptActions();
  return (model) => {
    if (entry.parentId === null) return;
    answer(entry.parentId, model).catch((error: unknown) => toastError(error));
  };
}

export function RegenerateButtons({ entry }: { entry: EntryWire }) {
  const regenerate = useRegenerate(entry);
  const hasOthers = useOtherModels(entry).length > 0;
  const isRoot = entry.parentId === null;
  return (
    <>
      <IconButton label="Regenerate" disabled={isRoot} onClick={() => regenerate()}>
        <RefreshCw aria-hidden />
      </IconButton>
      {hasOthers && (
        <Menu
          align="start"
          trigger={
            <IconButton
              label="Regenerate with…"
              tooltip="none"
              disabled={isRoot}
              className="-ml-1.5 w-5"
            >
              <ChevronDown aria-hidden className="size-3.5!" />
            </IconButton>
          }
        >
          <MenuLabel>With another model</MenuLabel>
          <OtherModels entry={entry} />
        </Menu>
      )}
    </>
  );
}

export function OtherModels({ entry }: { entry: EntryWire }) {
  const regenerate = useRegenerate(entry);
  return useOtherModels(entry).map(({ ref, label, provider }) => (
    <MenuItem key={ref} note={provider} onSelect={() => regenerate(ref)}>
      {label}
    </MenuItem>
  ));
}

export function useOtherModels({ message }: EntryWire): readonly ModelWire[] {
  const { data } = useModels();
  return (data?.models ?? []).filter(({ ref }) => ref !== message.metadata?.model);
}
