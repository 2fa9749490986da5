"use client";

import { Select } from "@/app/_ui/select";
import { toastError } from "@/app/_ui/toast";
import type { ModelsWire, SettingsWire } from "@/lib/chat/wire/settings";
import { modelName } from "./model-name";
import { SettingsCard, SettingsLine } from "./settings-section";
import { useChangeSettings } from "./use-settings";

export interface DefaultModelProps {
  settings: SettingsWire;
  models: ModelsWire;
}

/** Option value for automatic choice; no model has this name. */
const automatic = "automatic";

export function DefaultModel({ settings, models }: DefaultModelProps) {
  const change = useChangeSettings();
  const chosen = change.isPending ? change.variables.defaultModel : settings.defaultModel;
  return (
    <SettingsCard>
      <SettingsLine
        title="Default model"
        note={
          settings.defaultModel === null
            ? "Picked automatically. You can change it per chat."
            : "Default for new chats. You can change it per chat."
        }
      >
        <Select
          label="Default model"
          value={chosen ?? automatic}
          onChange={(value) =>
            change.mutate(
              { defaultModel: value === automatic ? null : value },
              { onError: (error) => toastError(error) },
            )
          }
          options={[
            { value: automatic, label: automaticLabel(settings, models) },
            ...models.models.map((model) => ({
              value: model.ref,
              label: modelName(model, models.models),
              note: model.provider,
            })),
          ]}
          className="w-full sm:w-80"
        />
      </SettingsLine>
    </SettingsCard>
  );
}

function automaticLabel(settings: SettingsWire, { models, defaultModel }: ModelsWire): string {
  if (settings.defaultModel !== null) return "Automatic";
  const label = models.find(({ ref }) => ref === defaultModel)?.label ?? defaultModel;
  return `Automatic: ${label}`;
}
