"use client";

import { Trash2 } from "lucide-react";
import { type FormEvent, type RefObject, useEffect, useRef, useState } from "react";
import { toastError } from "@/app/_api/toast-error";
import {
  cachingLabels,
  effortLabels,
  type NumberField,
  parameterLabels,
  parameterWords,
  readTemperature,
  readTokens,
  unsent,
} from "@/app/_data/models/parameter-form";
import { useModelName } from "@/app/_data/models/use-models";
import { useChangeSettings, useSettings } from "@/app/_data/settings/use-settings";
import { AnchoredPanel } from "@/app/_ui/anchored-panel";
import { Button, IconButton } from "@/app/_ui/button";
import { Input, InputField } from "@/app/_ui/fields";
import { formatCount } from "@/app/_ui/format-amount";
import type { ModelParameters, ParameterRange } from "@/lib/chat/wire/request-fields";
import type { ModelWire, Preset, PresetWire } from "@/lib/chat/wire/settings";
import { ParameterChoice, withParameter } from "./parameter-choice";

export interface ParametersPanelProps {
  readonly anchor: RefObject<HTMLElement | null>;
  readonly parameters: ModelParameters;
  readonly model: ModelWire | null;
  readonly modelRef: string | null;
  readonly onChange: (parameters: ModelParameters) => void;
  readonly onPreset: (preset: PresetWire) => void;
  readonly onClose: () => void;
}

export function ParametersPanel(props: ParametersPanelProps) {
  const { anchor, parameters, model, modelRef, onChange, onPreset, onClose } = props;
  return (
    <AnchoredPanel
      anchor={anchor}
      title="Parameters of this chat"
      onClose={onClose}
      className="w-[22rem]"
    >
      <div className="flex min-h-0 flex-col gap-4 overflow-y-auto sm:p-4">
        <h2 className="hidden font-medium text-sm sm:block">Parameters of this chat</h2>
        <Fields range={model?.parameters ?? {}} parameters={parameters} onChange={onChange} />
        <Unsent parameters={parameters} model={model} onChange={onChange} />
        <Presets parameters={parameters} modelRef={modelRef} onPreset={onPreset} />
      </div>
    </AnchoredPanel>
  );
}

interface FieldsProps extends Pick<ParametersPanelProps, "parameters" | "onChange"> {
  readonly range: ParameterRange;
}

function Fields({ range, parameters, onChange }: FieldsProps) {
  const set = (change: Parameters<typeof withParameter>[1]) =>
    onChange(withParameter(parameters, change));
  const { temperature, maxOutputTokens } = range;
  if (Object.keys(range).every((name) => name === "reasoning"))
    return <p className="text-muted text-sm">This model has no other parameters.</p>;
  return (
    <>
      {range.verbosity && (
        <ParameterChoice
          label={parameterLabels.verbosity}
          values={range.verbosity}
          labels={effortLabels}
          value={parameters.verbosity}
          onChange={(verbosity) => set({ verbosity })}
        />
      )}
      {temperature && (
        <NumberInput
          key={`temperature ${parameters.temperature}`}
          label={parameterLabels.temperature}
          hint={temperatureHint(temperature)}
          value={parameters.temperature}
          read={(text) => readTemperature(text, temperature.max)}
          onChange={(value) => set({ temperature: value })}
        />
      )}
      {maxOutputTokens && (
        <NumberInput
          key={`tokens ${parameters.maxOutputTokens}`}
          label={parameterLabels.maxOutputTokens}
          hint={tokensHint(maxOutputTokens.max)}
          value={parameters.maxOutputTokens}
          read={(text) => readTokens(text, maxOutputTokens.max)}
          onChange={(value) => set({ maxOutputTokens: value })}
        />
      )}
      {range.caching && (
        <ParameterChoice
          label={parameterLabels.caching}
          values={range.caching}
          labels={cachingLabels}
          value={parameters.caching}
          onChange={(caching) => set({ caching })}
        />
      )}
    </>
  );
}

function temperatureHint({ max, withoutReasoning }: NonNullable<ParameterRange["temperature"]>) {
  const range = `0 to ${max}. Higher is more varied.`;
  return withoutReasoning ? `${range} Sent without a reasoning effort only.` : range;
}

function tokensHint(max: number | null): string {
  return max === null ? "In tokens." : `In tokens, at most ${formatCount(max)}.`;
}

interface NumberInputProps {
  readonly label: string;
  readonly hint: string;
  readonly value: number | undefined;
  readonly read: (text: string) => NumberField;
  readonly onChange: (value: number | undefined) => void;
}

/** A number is saved when the field is left, also by closing the panel, or with Enter. */
function NumberInput({ label, hint, value, read, onChange }: NumberInputProps) {
  const [text, setText] = useState(value?.toString() ?? "");
  const field = read(text);
  const saved = useRef(value);
  function save() {
    if (field.problem !== null || field.value === saved.current) return;
    saved.current = field.value;
    onChange(field.value);
  }
  const latest = useRef(save);
  latest.current = save;
  useEffect(() => () => latest.current(), []);
  return (
    <InputField
      label={label}
      hint={hint}
      error={field.problem}
      inputMode="decimal"
      placeholder="Default"
      value={text}
      onChange={(event) => setText(event.target.value)}
      onBlur={save}
      onKeyDown={(event) => event.key === "Enter" && save()}
    />
  );
}

function Unsent({
  parameters,
  model,
  onChange,
}: Pick<ParametersPanelProps, "parameters" | "model" | "onChange">) {
  const names = model ? unsent(parameters, model.parameters) : [];
  if (!model || names.length === 0) return null;
  const labels = names.map((name) => parameterLabels[name].toLowerCase()).join(", ");
  const kept = Object.entries(parameters).filter(([name]) => !names.some((each) => each === name));
  return (
    <p className="rounded-md bg-sunken px-3 py-2 text-muted text-sm">
      {`Set for this chat, but not sent to ${model.label}: ${labels}. `}
      <button
        type="button"
        className="min-h-6 text-ink underline underline-offset-2"
        onClick={() => onChange(Object.fromEntries(kept))}
      >
        Remove
      </button>
    </p>
  );
}

function Presets({
  parameters,
  modelRef,
  onPreset,
}: Pick<ParametersPanelProps, "parameters" | "modelRef" | "onPreset">) {
  const { data } = useSettings();
  const changing = useChangeSettings();
  const nameOf = useModelName();
  const [name, setName] = useState("");
  const presets = data?.presets ?? [];
  const store = (id: string, preset: Preset | null, onSuccess?: () => void) =>
    changing.mutate(
      { presets: { [id]: preset } },
      { onError: toastError, ...(onSuccess && { onSuccess }) },
    );

  function save(event: FormEvent) {
    event.preventDefault();
    const title = name.trim();
    if (title === "" || !data) return;
    const present = presets.find((preset) => preset.name === title);
    const id = present?.id ?? crypto.randomUUID();
    store(id, { name: title, model: modelRef, parameters }, () => setName(""));
  }

  return (
    <section aria-label="Presets" className="flex flex-col gap-2 border-line border-t pt-3">
      <h3 className="font-medium text-sm">Presets</h3>
      {presets.length === 0 && (
        <p className="text-faint text-xs">A preset keeps a model and its parameters.</p>
      )}
      <ul className="flex flex-col">
        {presets.map((preset) => (
          <li key={preset.id} className="flex items-center gap-1">
            <Button
              variant="ghost"
              size="sm"
              className="shrink! items-start! h-auto! min-h-9 min-w-0 flex-1 flex-col gap-0! py-1"
              onClick={() => onPreset(preset)}
            >
              <bdi className="max-w-full truncate text-ink">{preset.name}</bdi>
              <span className="max-w-full truncate font-normal text-faint text-xs">
                {presetWords(preset, nameOf)}
              </span>
            </Button>
            <IconButton
              label={`Delete ${preset.name}`}
              tooltip="none"
              onClick={() => store(preset.id, null)}
            >
              <Trash2 aria-hidden />
            </IconButton>
          </li>
        ))}
      </ul>
      <form onSubmit={save} className="flex gap-2">
        <Input
          aria-label="Name of the preset"
          placeholder="Save as preset"
          maxLength={80}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <Button type="submit" disabled={name.trim() === "" || !data} busy={changing.isPending}>
          Save
        </Button>
      </form>
    </section>
  );
}

function presetWords({ model, parameters }: PresetWire, nameOf: (ref: string) => string): string {
  const words = parameterWords(parameters).map(([label, value]) => `${label}: ${value}`);
  return [model === null ? "Any model" : nameOf(model), ...words].join(" · ");
}
