"use client";

import { RefreshCw } from "lucide-react";
import { IconButton } from "@/app/_components/ui/icon-button";
import { Menu, MenuItem, MenuLabel, MenuSeparator } from "@/app/_components/ui/menu";
import { toastError } from "@/app/_components/ui/toast";
import { errorSentence } from "@/app/_hooks/api/api-error";
import { useModels } from "@/app/_hooks/api/use-models";
import type { EntryWire } from "@/lib/chat/wire/messages";
import { useTranscriptActions } from "./chat-session-context";

/** Answers the same question again. The answer there is stays, as a sibling. */
export function useRegenerate(entry: EntryWire): (model?: string) => void {
  const { answer } = useTranscriptActions();
  return (model) => {
    if (entry.parentId === null) return;
    answer(entry.parentId, model).catch((error: unknown) => toastError(errorSentence(error)));
  };
}

/** Another answer, by the same model or by one of the others. */
export function RegenerateMenu({ entry }: { entry: EntryWire }) {
  const regenerate = useRegenerate(entry);
  return (
    <Menu
      align="start"
      trigger={
        <IconButton label="Answer again" tooltip="none" disabled={entry.parentId === null}>
          <RefreshCw aria-hidden />
        </IconButton>
      }
    >
      <MenuItem icon={<RefreshCw aria-hidden />} onSelect={() => regenerate()}>
        Answer again
      </MenuItem>
      <OtherModels entry={entry} onChoose={regenerate} />
    </Menu>
  );
}

interface OtherModelsProps {
  readonly entry: EntryWire;
  readonly onChoose: (model: string) => void;
}

function OtherModels({ entry, onChoose }: OtherModelsProps) {
  const { data } = useModels();
  const others = (data?.models ?? []).filter(({ ref }) => ref !== entry.message.metadata?.model);
  if (others.length === 0) return null;
  return (
    <>
      <MenuSeparator />
      <MenuLabel>With another model</MenuLabel>
      {others.map(({ ref, label, provider }) => (
        <MenuItem key={ref} note={provider} onSelect={() => onChoose(ref)}>
          {label}
        </MenuItem>
      ))}
    </>
  );
}
