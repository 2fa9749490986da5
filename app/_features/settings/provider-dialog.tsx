"use client";

import { type FormEvent, useId, useState } from "react";
import { ApiError, errorSentence } from "@/app/_api/api-error";
import { useWriteProvider } from "@/app/_data/settings/use-settings";
import { Button } from "@/app/_ui/button";
import { Dialog } from "@/app/_ui/dialog";
import { focusFirstError, InputField } from "@/app/_ui/fields";
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
  formErrors,
  formOf,
  losesKey,
  type ProviderForm,
} from "./provider-form";

export interface ProviderDialogProps {
  /** `null` adds one. */
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
  const formId = useId();
  const [form, setForm] = useState(() => formOf(provider));
  const [wasTried, setWasTried] = useState(false);
  // Stable, so that saving again updates the same provider.
  const [id] = useState(() => provider?.id ?? `${form.kind}-${Date.now().toString(36)}`);
  const writing = useWriteProvider();

  const nameIfEmpty = defaultName(
    form.kind,
    others.filter((other) => other.id !== id),
  );
  const errors = formErrors(form, provider);
  const silence = writing.data ?? null;
  const refusal = writing.error instanceof ApiError ? writing.error : null;
  const errorOf = (field: keyof typeof errors): string | null => {
    if (wasTried && errors[field]) return errors[field];
    return refusal?.field === field ? refusal.message : null;
  };
  const change = (next: Partial<ProviderForm>) => setForm((before) => ({ ...before, ...next }));

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setWasTried(true);
    if (Object.keys(errors).length > 0) return focusFirstError(event.currentTarget);
    writing.mutate(
      { id, ...bodyOf(form, nameIfEmpty) },
      { onSuccess: (problem) => problem === null && onClose() },
    );
  };

  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={provider ? `Edit ${provider.name}` : "Add a provider"}
      footer={
        <>
          <Button onClick={onClose}>{silence ? "Close" : "Cancel"}</Button>
          <Button variant="primary" type="submit" form={formId} busy={writing.isPending}>
            Save
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} noValidate className="flex flex-col gap-4">
        <ProviderFields
          form={form}
          provider={provider}
          nameIfEmpty={nameIfEmpty}
          errorOf={errorOf}
          onChange={change}
        />
        {writing.error && !refusal?.field && (
          <ErrorNotice>{errorSentence(writing.error)}</ErrorNotice>
        )}
        {silence && !writing.isPending && <ErrorNotice>Saved. {silence}</ErrorNotice>}
      </form>
    </Dialog>
  );
}

interface ProviderFieldsProps {
  form: ProviderForm;
  provider: ProviderSettingWire | null;
  nameIfEmpty: string;
  errorOf: (field: "apiKey" | "baseUrl" | "name") => string | null;
  onChange: (change: Partial<ProviderForm>) => void;
}

function ProviderFields({ form, provider, nameIfEmpty, errorOf, onChange }: ProviderFieldsProps) {
  const { note, baseUrl, exampleUrl } = kindFacts(form.kind);
  return (
    <>
      <SelectField
        label="Type"
        hint={note}
        value={form.kind}
        options={kinds}
        onChange={(kind) => onChange({ kind })}
      />
      <KeyField form={form} provider={provider} error={errorOf("apiKey")} onChange={onChange} />
      <InputField
        label="Base URL"
        optional={baseUrl !== null}
        hint={baseUrl !== null ? "For a custom proxy or gateway." : "Usually ends in /v1."}
        error={errorOf("baseUrl")}
        type="url"
        value={form.baseUrl}
        placeholder={baseUrl ?? exampleUrl}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => onChange({ baseUrl: event.target.value })}
      />
      <InputField
        label="Name"
        optional
        hint="Display name."
        error={errorOf("name")}
        value={form.name}
        maxLength={50}
        placeholder={nameIfEmpty}
        autoComplete="off"
        onChange={(event) => onChange({ name: event.target.value })}
      />
    </>
  );
}

interface KeyFieldProps {
  form: ProviderForm;
  provider: ProviderSettingWire | null;
  error: string | null;
  onChange: (change: Partial<ProviderForm>) => void;
}

function KeyField({ form, provider, error, onChange }: KeyFieldProps) {
  return (
    <InputField
      label="Key"
      optional={kindFacts(form.kind).baseUrl === null}
      hint={keyHint(form, provider)}
      error={error}
      type="password"
      value={form.apiKey}
      maxLength={500}
      // A password manager would store it as this page's login.
      autoComplete="off"
      data-1p-ignore
      data-lpignore="true"
      spellCheck={false}
      placeholder={provider?.keyHint ? `ends in ${provider.keyHint}` : ""}
      onChange={(event) => onChange({ apiKey: event.target.value })}
    />
  );
}

function keyHint(form: ProviderForm, provider: ProviderSettingWire | null): string {
  if (losesKey(form, provider))
    return "Enter the key again. A stored key is never sent to a new URL.";
  if (provider?.keyHint) return "Leave blank to keep the stored key.";
  return "Stored on the server and never shown again.";
}
