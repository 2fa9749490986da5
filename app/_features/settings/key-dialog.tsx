"use client";

import { type FormEvent, useId, useState } from "react";
import { ApiError, errorSentence } from "@/app/_api/api-error";
import { ConfirmPerson } from "@/app/_data/accounts/confirm-person";
import { useModels } from "@/app/_data/models/use-models";
import { Button } from "@/app/_ui/button";
import { Dialog } from "@/app/_ui/dialog";
import { focusFirstError, InputField } from "@/app/_ui/fields";
import { isolated } from "@/app/_ui/isolated";
import { CopyButton } from "@/app/_ui/markdown/copy-button";
import { ErrorNotice } from "@/app/_ui/notice";
import { SelectField } from "@/app/_ui/select";
import { SwitchLine } from "@/app/_ui/switch-line";
import type { McpScope, NewKeyWire } from "@/lib/chat/wire/keys";
import type { ModelWire } from "@/lib/chat/wire/settings";
import { KeyBlocksFields } from "./key-blocks-fields";
import { McpScopeFields } from "./mcp-scope-fields";
import { useCreateKey } from "./use-keys";

const anyModel = "any";

export function KeyDialog({ onClose }: { onClose: () => void }) {
  const creating = useCreateKey();
  if (creating.data) return <NewKey made={creating.data} onClose={onClose} />;
  return (
    <>
      <KeyForm creating={creating} onClose={onClose} />
      <ConfirmPerson />
    </>
  );
}

interface KeyFormProps {
  readonly creating: ReturnType<typeof useCreateKey>;
  readonly onClose: () => void;
}

function KeyForm({ creating, onClose }: KeyFormProps) {
  const formId = useId();
  const [choices, setChoices] = useState(firstChoices);
  const [wasTried, setWasTried] = useState(false);
  const models = useModels().data?.models ?? [];
  const errors = errorsOf(choices);
  const refusal = creating.error instanceof ApiError ? creating.error : null;
  const change = (next: Partial<KeyChoices>) => setChoices((before) => ({ ...before, ...next }));

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setWasTried(true);
    if (Object.values(errors).some((error) => error !== null))
      return focusFirstError(event.currentTarget);
    creating.mutate(requestOf(choices));
  };

  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Create a key"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form={formId} busy={creating.isPending}>
            Create
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} noValidate className="flex flex-col gap-4">
        <InputField
          label="Name"
          hint="Shown on what this program writes."
          error={wasTried ? errors.name : refusal?.field === "name" ? refusal.message : null}
          value={choices.name}
          maxLength={60}
          autoComplete="off"
          onChange={(event) => change({ name: event.target.value })}
        />
        <ApiFields
          choices={choices}
          models={models}
          limitError={wasTried ? errors.limit : null}
          onChange={change}
        />
        <McpScopeFields scopes={choices.mcp} onChange={(mcp) => change({ mcp })} />
        {knowsMemory(choices) && (
          <KeyBlocksFields blocks={choices.blocks} onChange={(blocks) => change({ blocks })} />
        )}
        {wasTried && errors.blocks && <ErrorNotice>{errors.blocks}</ErrorNotice>}
        {wasTried && errors.use && <ErrorNotice>{errors.use}</ErrorNotice>}
        {creating.error && !refusal?.field && (
          <ErrorNotice>{errorSentence(creating.error)}</ErrorNotice>
        )}
      </form>
    </Dialog>
  );
}

interface KeyChoices {
  readonly name: string;
  readonly usesApi: boolean;
  readonly mcp: readonly McpScope[];
  readonly canWrite: boolean;
  readonly usesMemory: boolean;
  readonly blocks: readonly string[] | null;
  readonly model: string;
  readonly limit: string;
}

const firstChoices: KeyChoices = {
  name: "",
  usesApi: true,
  mcp: [],
  canWrite: true,
  usesMemory: false,
  blocks: null,
  model: anyModel,
  limit: "",
};

function knowsMemory({ usesApi, canWrite, usesMemory, mcp }: KeyChoices): boolean {
  return (usesApi && canWrite && usesMemory) || mcp.some((scope) => scope.startsWith("memory:"));
}

function dollarsOf(limit: string): number {
  return Number(limit.replace(",", "."));
}

function errorsOf(choices: KeyChoices) {
  const { name, usesApi, mcp, blocks, limit } = choices;
  const dollars = dollarsOf(limit);
  const isLimit = limit.trim() === "" || (dollars > 0 && dollars <= 1_000_000);
  return {
    name: name.trim() === "" ? "Name the program, to tell its chats apart." : null,
    limit: isLimit ? null : "Enter an amount in dollars, or leave it blank.",
    use:
      usesApi || mcp.length > 0
        ? null
        : "Choose what the program may use: the API, or parts of MCP.",
    blocks:
      knowsMemory(choices) && blocks?.length === 0
        ? "Choose a part of your memory, or all of it."
        : null,
  };
}

function requestOf(choices: KeyChoices) {
  const { name, usesApi, mcp, canWrite, usesMemory, blocks, model, limit } = choices;
  return {
    name,
    usesApi,
    canWrite: usesApi && canWrite,
    usesMemory: usesApi && canWrite && usesMemory,
    models: model === anyModel ? null : [model],
    monthlyLimit: limit.trim() === "" ? null : dollarsOf(limit),
    blocks: knowsMemory(choices) && blocks ? [...blocks] : null,
    mcp: [...mcp],
  };
}

interface ApiFieldsProps {
  readonly choices: KeyChoices;
  readonly models: readonly ModelWire[];
  readonly limitError: string | null;
  readonly onChange: (next: Partial<KeyChoices>) => void;
}

function ApiFields({ choices, models, limitError, onChange }: ApiFieldsProps) {
  const { usesApi, canWrite, usesMemory, model, limit } = choices;
  return (
    <fieldset className="flex flex-col gap-4 rounded-lg border border-line p-4">
      <legend className="px-1 font-medium text-sm">OpenAI's API</legend>
      <SwitchLine
        label="May use the API"
        note="Its conversations are chats here."
        checked={usesApi}
        onChange={(isOn) => onChange({ usesApi: isOn })}
      />
      {usesApi && (
        <>
          <SwitchLine
            label="Ask models and write chats"
            note="Otherwise it only reads."
            checked={canWrite}
            onChange={(isOn) => onChange({ canWrite: isOn })}
          />
          <SwitchLine
            label="Use my memory and Grove's tools"
            note="Its models then read your memory, and write to it as in your own chats."
            checked={canWrite && usesMemory}
            disabled={!canWrite}
            onChange={(isOn) => onChange({ usesMemory: isOn })}
          />
          <SelectField
            label="Models"
            value={model}
            options={[
              { value: anyModel, label: "All models" },
              ...models.map(({ ref, label, provider }) => ({
                value: ref,
                label: `${isolated(label)} · ${isolated(provider)}`,
              })),
            ]}
            onChange={(ref) => onChange({ model: ref })}
          />
          <InputField
            label="Monthly limit in dollars"
            optional
            hint="Requests are refused once its answers have cost this much."
            error={limitError}
            value={limit}
            inputMode="decimal"
            autoComplete="off"
            onChange={(event) => onChange({ limit: event.target.value })}
          />
        </>
      )}
    </fieldset>
  );
}

function NewKey({ made, onClose }: { made: NewKeyWire; onClose: () => void }) {
  const { key, secret } = made;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`The key of ${key.name}`}
      footer={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <p className="text-sm">Copy it now: it is not shown again.</p>
        <div className="flex items-center gap-2 rounded-md border border-line bg-sunken p-2">
          <code className="min-w-0 flex-1 select-all break-all font-mono text-xs">{secret}</code>
          <CopyButton text={secret} label="Copy the key" size="sm" />
        </div>
        {key.usesApi && (
          <Sample>{`OPENAI_BASE_URL=${location.origin}/v1\nOPENAI_API_KEY=grove_…${key.hint}`}</Sample>
        )}
        {key.mcp.length > 0 && (
          <Sample>{`${location.origin}/mcp\nAuthorization: Bearer grove_…${key.hint}`}</Sample>
        )}
      </div>
    </Dialog>
  );
}

function Sample({ children }: { children: string }) {
  return (
    <pre className="overflow-x-auto rounded-md bg-sunken p-3 text-xs leading-relaxed">
      <code>{children}</code>
    </pre>
  );
}
