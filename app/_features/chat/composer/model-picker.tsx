"use client";

import { ChevronDown, Settings2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { modelName, useModels } from "@/app/_features/settings/use-models";
import { Button } from "@/app/_ui/button";
import { Menu, MenuChoice, MenuItem, MenuSeparator } from "@/app/_ui/menu";
import type { ModelWire } from "@/lib/chat/wire/settings";

export interface ModelPickerProps {
  /** `null` follows the default. */
  readonly value: string | null;
  readonly onChange: (ref: string) => void;
}

export function ModelPicker({ value, onChange }: ModelPickerProps) {
  const router = useRouter();
  const { data } = useModels();
  if (!data) return <span className="h-8" />;
  const chosen = value ?? data.defaultModel;
  const model = data.models.find(({ ref }) => ref === chosen);
  const label = model ? modelName(model, data.models) : chosen;
  return (
    <Menu
      align="start"
      side="top"
      trigger={
        <Button
          variant="ghost"
          size="sm"
          aria-label={`Model: ${label}`}
          className="shrink! min-w-0 font-normal"
        >
          <span className="truncate">{label}</span>
          <ChevronDown aria-hidden />
        </Button>
      }
    >
      <MenuChoice
        label="Model"
        value={chosen}
        onChange={onChange}
        options={data.models.map((model) => ({
          value: model.ref,
          label: modelName(model, data.models),
          note: noteOf(model),
        }))}
      />
      <MenuSeparator />
      <MenuItem icon={<Settings2 aria-hidden />} onSelect={() => router.push("/settings")}>
        Models and keys
      </MenuItem>
    </Menu>
  );
}

function noteOf(model: ModelWire): string {
  if (model.isDemo) return "Scripted, no AI";
  if (model.isLocal) return `${model.provider} · on this machine`;
  return model.provider;
}
