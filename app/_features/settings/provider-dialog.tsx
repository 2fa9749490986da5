"use client";

import { useState } from "react";
import { FormDialog } from "@/app/_data/forms/form-dialog";
import { type Form, useForm } from "@/app/_data/forms/use-form";
import { useWriteProvider } from "@/app/_data/settings/use-settings";
import { InputField, SecretField } from "@/app/_ui/fields";
import { ErrorNotice } from "@/app/_ui/notice";
import { SelectField } from "@/app/_ui/select";
import {
  kindFacts,
  type ProviderKind,
  type ProviderSettingWire,
  providerKinds,
} from "@/lib/chat/wire/settings";
import {
  bodyOf,
  defaultName,
  formOf,
  losesKey,
  type ProviderForm,
  providerSchema,
} from "./provider-form";

export interface ProviderDialogProps {
  provider: ProviderSettingWire | null;
  others: readonly ProviderSettingWire[];
  onClose: () => void;
}

const kinds = Object.entries(providerKinds).map(([value, { label, note }]) => ({
  value: value as ProviderKind,
  label,
  note,
}));

export function ProviderDialog({ provider, others, onClose }: ProviderDialogProps) {
  const initial = formOf(provider);
  // The id is stable, so that saving again updates the same provider.
  const [id] = useState(() => provider?.id ?? `${initial.kind}-${Date.now().toString(36)}`);
  const [silence, setSilence] = useState<string | null>(null);
  const writing = useWriteProvider();
  const nameFor = (kind: ProviderKind) =>
    defaultName(
      kind,
      others.filter((other) => other.id !== id),
    );
  const form = useForm({
    initial,
    schema: providerSchema(provider),
    save: (values) => writing.mutateAsync({ id, ...bodyOf(values, nameFor(values.kind)) }),
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
      <ProviderFields form={form} provider={provider} nameIfEmpty={nameFor(form.values.kind)} />
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
  const { note, baseUrl, exampleUrl } = kindFacts(form.values.kind);
  return (
    <>
      <SelectField
        label="Type"
        hint={note}
        value={form.values.kind}
        error={form.errorOf("kind")}
        options={kinds}
        onChange={(kind) => form.change({ kind })}
      />
      <SecretField
        label="Key"
        optional={baseUrl === null}
        hint={keyHint(form.values, provider)}
        placeholder={provider?.keyHint ? `ends in ${provider.keyHint}` : ""}
        {...form.text("apiKey")}
      />
      <InputField
        label="Base URL"
        optional={baseUrl !== null}
        hint={baseUrl !== null ? "For a custom proxy or gateway." : "Usually ends in /v1."}
        type="url"
        placeholder={baseUrl ?? exampleUrl}
        spellCheck={false}
        autoComplete="off"
        {...form.text("baseUrl")}
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

function keyHint(form: ProviderForm, provider: ProviderSettingWire | null): string {
  if (losesKey(form, provider))
    return "Enter the key again. A stored key is never sent to a new URL.";
  if (provider?.keyHint) return "Leave blank to keep the stored key.";
  return "Stored on the server and never shown again.";
}
