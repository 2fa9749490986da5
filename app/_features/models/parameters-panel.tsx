"use client";

import { type FormEvent, type RefObject, useEffect, useRef, useState } from "react";
import { toastError } from "@/app/_api/toast-error";
import { useWriteAssistant } from "@/app/_data/assistants/write-assistant";
import {
  cachingLabels,
  effortLabels,
  type NumberField,
  parameterLabels,
  readTemperature,
  readTokens,
  unsent,
} from "@/app/_data/models/parameter-form";
import { AnchoredPanel } from "@/app/_ui/anchored-panel";
import { Button } from "@/app/_ui/button";
import { Input, InputField } from "@/app/_ui/fields";
import { formatCount } from "@/app/_ui/format-amount";
import { isolated } from "@/app/_ui/isolated";
import { toastDone } from "@/app/_ui/toast";
import { type AssistantWire, assistantText } from "@/lib/chat/wire/assistants";
import type { ModelParameters, ParameterRange } from "@/lib/chat/wire/request-fields";
import type { ModelWire } from "@/lib/chat/wire/settings";
import { ParameterChoice, withParameter } from "./parameter-choice";

export interface ParametersPanelProps {
  readonly anchor: RefObject<HTMLElement | null>;
  readonly parameters: ModelParameters;
  readonly model: ModelWire | null;
  readonly modelRef: string | null;
  readonly onChange: (parameters: ModelParameters) => void;
  readonly onAssistant: (assistant: AssistantWire) => void;
  readonly onClose: () => void;
}

export function ParametersPanel(props: ParametersPanelProps) {
  const { anchor, parameters, model, modelRef, onChange, onAssistant, onClose } = props;
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
        <SaveAsAssistant parameters={parameters} modelRef={modelRef} onAssistant={onAssistant} />
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

function SaveAsAssistant({
  parameters,
  modelRef,
  onAssistant,
}: Pick<ParametersPanelProps, "parameters" | "modelRef" | "onAssistant">) {
  const writing = useWriteAssistant();
  const [name, setName] = useState("");

  function save(event: FormEvent) {
    event.preventDefault();
    const title = name.trim();
    if (title === "") return;
    const fields = { name: title, model: modelRef ?? "", parameters };
    writing.mutate(
      { title, content: assistantText("", fields, "") },
      {
        onError: toastError,
        onSuccess: (made) => {
          setName("");
          toastDone(`Assistant “${isolated(title)}” saved.`);
          onAssistant(made);
        },
      },
    );
  }

  return (
    <form onSubmit={save} className="flex gap-2 border-line border-t pt-3">
      <Input
        aria-label="Name of the assistant"
        placeholder="Save as assistant"
        maxLength={80}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <Button type="submit" disabled={name.trim() === ""} busy={writing.isPending}>
        Save
      </Button>
    </form>
  );
}
