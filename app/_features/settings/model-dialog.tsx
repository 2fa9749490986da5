"use client";

import { type FormEvent, useId, useState } from "react";
import { errorSentence } from "@/app/_api/api-error";
import {
  type OverrideForm,
  overrideErrors,
  overrideFormOf,
  overrideIn,
} from "@/app/_data/models/model-facts";
import { useChangeSettings } from "@/app/_data/settings/use-settings";
import { Button } from "@/app/_ui/button";
import { Dialog } from "@/app/_ui/dialog";
import { focusFirstError, InputField } from "@/app/_ui/fields";
import { ErrorNotice } from "@/app/_ui/notice";
import type { ModelWire, SettingsWire } from "@/lib/chat/wire/settings";
import { type FeatureChange, featureChanges, featureFormOf, featureResets } from "./feature-form";
import { FeatureSwitches } from "./feature-switches";

export interface ModelDialogProps {
  model: ModelWire;
  settings: SettingsWire;
  onClose: () => void;
}

const fields: readonly { name: keyof OverrideForm; label: string; hint: string }[] = [
  { name: "contextWindow", label: "Context window", hint: "In tokens." },
  { name: "inputPerMillion", label: "Input price", hint: "In dollars per million tokens." },
  { name: "outputPerMillion", label: "Output price", hint: "In dollars per million tokens." },
];

export function ModelDialog({ model, settings, onClose }: ModelDialogProps) {
  const formId = useId();
  const override = settings.modelOverrides.find(({ ref }) => ref === model.ref);
  const [form, setForm] = useState(() => overrideFormOf(override));
  const [features] = useState(() => featureFormOf(model));
  const [featureForm, setFeatureForm] = useState(features);
  const [wasTried, setWasTried] = useState(false);
  const change = useChangeSettings();
  const errors = overrideErrors(form);

  const save = (next: OverrideForm, modelFeatures: FeatureChange[]) =>
    change.mutate(
      { modelOverrides: { [model.ref]: overrideIn(next) }, modelFeatures },
      { onSuccess: onClose },
    );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setWasTried(true);
    if (Object.keys(errors).length > 0) return focusFirstError(event.currentTarget);
    save(form, featureChanges(model.ref, features, featureForm));
  };
  const known: OverrideForm = {
    contextWindow: String(model.contextWindow),
    inputPerMillion: model.price ? String(model.price.inputPerMillion) : "unknown",
    outputPerMillion: model.price ? String(model.price.outputPerMillion) : "unknown",
  };

  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={model.label}
      description="Leave blank to use defaults."
      footer={
        <>
          {(override || model.features.length > 0) && (
            <Button
              variant="ghost"
              className="mr-auto"
              onClick={() => save(overrideFormOf(undefined), featureResets(model))}
            >
              Reset to defaults
            </Button>
          )}
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form={formId} busy={change.isPending}>
            Save
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} noValidate className="flex flex-col gap-4">
        {fields.map(({ name, label, hint }) => (
          <InputField
            key={name}
            label={label}
            hint={hint}
            error={wasTried ? (errors[name] ?? null) : null}
            inputMode="decimal"
            autoComplete="off"
            value={form[name]}
            placeholder={known[name]}
            onChange={(event) => setForm({ ...form, [name]: event.target.value })}
          />
        ))}
        <FeatureSwitches form={featureForm} features={model.features} onChange={setFeatureForm} />
        {change.error && <ErrorNotice>{errorSentence(change.error)}</ErrorNotice>}
      </form>
    </Dialog>
  );
}
