"use client";

import { errorSentence } from "@/app/_api/api-error";
import { memoryModes } from "@/app/_features/memory/memory-modes";
import { Segmented } from "@/app/_ui/segmented";
import { toastError } from "@/app/_ui/toast";
import { SettingsCard, SettingsLine } from "./settings-section";
import { useChangeSettings, useSettings } from "./use-settings";

/** Memory mode of new sessions. */
export function DefaultMemoryMode() {
  const settings = useSettings();
  const change = useChangeSettings();
  const stored = settings.data?.memoryMode;
  const shown = change.isPending ? (change.variables.memoryMode ?? stored) : stored;
  if (!shown) return null;
  return (
    <SettingsCard>
      <SettingsLine
        title="Let the model update memory"
        note="Default for new chats. You can change it per chat in the Memory tab."
      >
        <Segmented
          label="Let the model update memory in new chats"
          value={shown}
          onChange={(memoryMode) =>
            change.mutate({ memoryMode }, { onError: (error) => toastError(errorSentence(error)) })
          }
          options={memoryModes}
        />
      </SettingsLine>
    </SettingsCard>
  );
}
