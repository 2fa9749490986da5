"use client";

import { useState } from "react";
import { FormDialog } from "@/app/_data/forms/form-dialog";
import { type Form, useForm } from "@/app/_data/forms/use-form";
import { useWriteProvider } from "@/app/_data/settings/use-settings";
import { InputField, SecretField } from "@/app/_ui/fields";
import { ErrorNotice } from "@/app/_ui/notice";
import { SelectField } from "@/app/_ui/select";
import {
  type PresetId,
  type ProviderKind,
  type ProviderSettingWire,
  providerKinds,
  providerPresets,
} from "@/lib/chat/wire/settings";
import {
  bodyOf,
  defaultName,
  formOf,
  losesKey,
  needsKey,
  type ProviderForm,
  type ProviderType,
  providerSchema,
  typeFacts,
  withAddress,
  withType,
} from "./provider-form";

export interface ProviderDialogProps {
  provider: ProviderSettingWire | null;
  others: readonly ProviderSettingWire[];
  onClose: () => void;
}

const { compatible, ...companies } = providerKinds;
const types = Object.keys({ ...companies, ...providerPresets, compatible }).map((name) => {
  const value = name as ProviderKind | PresetId;
  const { label, note } = typeFacts(value);
  return { value, label, note };
});

export function ProviderDialog({ provider, others, onClose }: ProviderDialogProps) {
  const initial = formOf(provider);
  // Saving again updates the same provider.
  const [id] = useState(() => provider?.id ?? `${initial.type}-${Date.now().toString(36)}`);
  const [silence, setSilence] = useState<string | null>(null);
  const writing = useWriteProvider();
  const nameFor = (type: ProviderType) =>
    defaultName(
      type,
      others.filter((other) => other.id !== id),
    );
  const form = useForm({
    initial,
    schema: providerSchema(provider),
    save: (values) => writing.mutateAsync({ id, ...bodyOf(values, nameFor(values.type)) }),
    onSaved: (problem) => {
      setSilence(problem);
      if (problem === null) onClose();
    },
  });
  const isSilent = silence !== null && !form.isSaving && form.problem === null;

  return (
    <FormDialog
      form={form}
      title={provider ? `Edit ${provider.name}` : "Add a provider"}
      saveLabel="Save"
      cancelLabel={silence ? "Close" : "Cancel"}
      onClose={onClose}
    >
      <ProviderFields form={form} provider={provider} nameIfEmpty={nameFor(form.values.type)} />
      {isSilent && <ErrorNotice>Saved. {silence}</ErrorNotice>}
    </FormDialog>
  );
}

interface ProviderFieldsProps {
  form: Form<ProviderForm>;
  provider: ProviderSettingWire | null;
  nameIfEmpty: string;
}

function ProviderFields({ form, provider, nameIfEmpty }: ProviderFieldsProps) {
  const { values } = form;
  const { note, hostedUrl, exampleUrl, keysUrl, hint } = typeFacts(values.type);
  return (
    <>
      <SelectField
        label="Type"
        hint={note}
        value={values.type}
        error={form.errorOf("type")}
        options={types}
        onChange={(type) => form.change(withType(values, type))}
      />
      <SecretField
        label="Key"
        optional={!needsKey(values.type, provider)}
        hint={
          <>
            {keyHint(values, provider)} {keysUrl && <KeysLink address={keysUrl} />}
          </>
        }
        placeholder={provider?.keyHint ? `ends in ${provider.keyHint}` : ""}
        {...form.text("apiKey")}
      />
      <InputField
        label="Base URL"
        optional={hostedUrl !== null}
        hint={hint ?? (hostedUrl ? "For a custom proxy or gateway." : "Usually ends in /v1.")}
        type="url"
        placeholder={hostedUrl ?? exampleUrl}
        spellCheck={false}
        autoComplete="off"
        {...form.text("baseUrl")}
        onChange={({ target }) => form.change(withAddress(values, target.value))}
      />
      <InputField
        label="Name"
        optional
        hint="Display name."
        maxLength={50}
        placeholder={nameIfEmpty}
        autoComplete="off"
        {...form.text("name")}
      />
    </>
  );
}

function KeysLink({ address }: { address: string }) {
  return (
    <a
      href={address}
      target="_blank"
      rel="noopener noreferrer"
      className="text-accent underline decoration-accent/40 underline-offset-2 hover:decoration-accent"
    >
      Create a key at {new URL(address).host}
    </a>
  );
}

function keyHint(form: ProviderForm, provider: ProviderSettingWire | null): string {
  if (losesKey(form, provider))
    return "Enter the key again. A stored key is never sent to a new URL.";
  if (provider?.keyHint) return "Leave blank to keep the stored key.";
  return "Stored on the server and never shown again.";
}
