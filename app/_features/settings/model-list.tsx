"use client";

import { Pencil } from "lucide-react";
import { useState } from "react";
import { FormDialog } from "@/app/_data/forms/form-dialog";
import { useForm } from "@/app/_data/forms/use-form";
import {
  modelFacts,
  type OverrideForm,
  overrideFormOf,
  overrideIn,
  overrideSchema,
  refusedFacts,
} from "@/app/_data/models/model-facts";
import { useChangeSettings } from "@/app/_data/settings/use-settings";
import { ModelMarks } from "@/app/_message/models/model-marks";
import { Badge } from "@/app/_ui/badge";
import { Button, IconButton } from "@/app/_ui/button";
import { Input, InputField } from "@/app/_ui/fields";
import { SettingsCard, SettingsGroup, SettingsLine } from "@/app/_ui/settings-section";
import type { FeatureMark, ModelWire, SettingsWire } from "@/lib/chat/wire/settings";
import { FeatureSwitches, featureChanges, featureFormOf, featureResets } from "./feature-switches";

export interface ModelListProps {
  settings: SettingsWire;
  models: readonly ModelWire[];
}

const isByPerson = ({ by }: FeatureMark) => by === "person";

const searchFrom = 12;
const firstShown = 30;

export function ModelList({ settings, models }: ModelListProps) {
  const [query, setQuery] = useState("");
  const [showsAll, setShowsAll] = useState(false);
  const [edited, setEdited] = useState<ModelWire | null>(null);

  const wanted = query.trim().toLowerCase();
  const found = models.filter(({ label, provider, ref }) =>
    `${label} ${provider} ${ref}`.toLowerCase().includes(wanted),
  );
  const shown = showsAll ? found : found.slice(0, firstShown);
  const overridden = new Set([
    ...settings.modelOverrides.map(({ ref }) => ref),
    ...models.flatMap(({ ref, features }) => (features.some(isByPerson) ? ref : [])),
  ]);

  return (
    <SettingsGroup
      title="All models"
      note="Favorites come first in the list of models, hidden ones are left out. Context size and price are used for summarizing and cost estimates."
    >
      {models.length >= searchFrom && (
        <Input
          type="search"
          aria-label="Search models"
          placeholder="Search models"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
      )}
      <SettingsCard>
        {shown.length === 0 && <SettingsLine title={`No model matches “${query.trim()}”`} />}
        {shown.map((model) => (
          <SettingsLine
            key={model.ref}
            title={
              <>
                {model.label}
                <span className="font-normal text-faint text-xs">{model.provider}</span>
                {overridden.has(model.ref) && <Badge tone="accent">edited</Badge>}
              </>
            }
            note={
              model.isDemo
                ? "Scripted, free, no key needed"
                : [modelFacts(model), ...refusedFacts(model)].filter(Boolean).join(" · ")
            }
          >
            {!model.isDemo && (
              <span className="flex items-center gap-0.5">
                <ModelMarks model={model} isNamed />
                <IconButton label={`Edit ${model.label}`} onClick={() => setEdited(model)}>
                  <Pencil aria-hidden />
                </IconButton>
              </span>
            )}
          </SettingsLine>
        ))}
      </SettingsCard>
      {shown.length < found.length && (
        <Button className="self-center" variant="ghost" onClick={() => setShowsAll(true)}>
          Show all {found.length} models
        </Button>
      )}
      {edited && <ModelDialog model={edited} settings={settings} onClose={() => setEdited(null)} />}
    </SettingsGroup>
  );
}

interface ModelDialogProps {
  model: ModelWire;
  settings: SettingsWire;
  onClose: () => void;
}

const fields: readonly { name: keyof OverrideForm; label: string; hint: string }[] = [
  { name: "contextWindow", label: "Context window", hint: "In tokens." },
  { name: "inputPerMillion", label: "Input price", hint: "In dollars per million tokens." },
  { name: "outputPerMillion", label: "Output price", hint: "In dollars per million tokens." },
];

function ModelDialog({ model, settings, onClose }: ModelDialogProps) {
  const override = settings.modelOverrides.find(({ ref }) => ref === model.ref);
  const [features] = useState(() => featureFormOf(model));
  const { mutateAsync: change } = useChangeSettings();
  const form = useForm({
    initial: { ...overrideFormOf(override), features },
    schema: overrideSchema,
    save: (values) =>
      change({
        modelOverrides: { [model.ref]: overrideIn(values) },
        modelFeatures: featureChanges(model.ref, features, values.features),
      }),
    onSaved: onClose,
  });
  const reset = () =>
    form.saveBy(
      () => change({ modelOverrides: { [model.ref]: null }, modelFeatures: featureResets(model) }),
      onClose,
    );
  const known: OverrideForm = {
    contextWindow: String(model.contextWindow),
    inputPerMillion: model.price ? String(model.price.inputPerMillion) : "unknown",
    outputPerMillion: model.price ? String(model.price.outputPerMillion) : "unknown",
  };

  return (
    <FormDialog
      form={form}
      title={model.label}
      description="Leave blank to use defaults."
      saveLabel="Save"
      otherButtons={
        (override || model.features.length > 0) && (
          <Button variant="ghost" className="mr-auto" onClick={reset}>
            Reset to defaults
          </Button>
        )
      }
      onClose={onClose}
    >
      {fields.map(({ name, label, hint }) => (
        <InputField
          key={name}
          label={label}
          hint={hint}
          inputMode="decimal"
          autoComplete="off"
          placeholder={known[name]}
          {...form.text(name)}
        />
      ))}
      <FeatureSwitches
        form={form.values.features}
        features={model.features}
        onChange={(next) => form.change({ features: next })}
      />
    </FormDialog>
  );
}
