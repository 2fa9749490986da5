"use client";

import { type ReactNode, useState } from "react";
import { ConfirmPerson } from "@/app/_data/accounts/confirm-person";
import { FormDialog } from "@/app/_data/forms/form-dialog";
import { type Form, type FormSchema, useForm } from "@/app/_data/forms/use-form";
import { useBlocksOf } from "@/app/_data/memory/use-blocks";
import { useModels } from "@/app/_data/models/use-models";
import { Button } from "@/app/_ui/button";
import { Dialog } from "@/app/_ui/dialog";
import { InputField } from "@/app/_ui/fields";
import { isolated } from "@/app/_ui/isolated";
import { Spinner } from "@/app/_ui/loading";
import { CopyButton } from "@/app/_ui/markdown/copy-button";
import { ErrorNotice } from "@/app/_ui/notice";
import { SelectField } from "@/app/_ui/select";
import { SwitchLine } from "@/app/_ui/toggles";
import type { KeyScopes, McpScope, NewKeyWire } from "@/lib/chat/wire/keys";
import type { ModelWire } from "@/lib/chat/wire/settings";
import {
  AliasesField,
  AtOnceField,
  aliasesIn,
  aliasProblem,
  atOnceProblem,
  DaysField,
  daysProblem,
  KeepsField,
  wholeNumberIn,
} from "./key-changes";
import { McpScopeFields } from "./mcp-scope-fields";
import { PlaceField } from "./place-field";
import { useCreateKey } from "./use-keys";

const anyModel = "any";
const nameLength = 60;

interface KeyDialogProps {
  /** Proposes a project with this name, made with the key. */
  readonly folder: string | null;
  readonly onClose: () => void;
}

export function KeyDialog({ folder, onClose }: KeyDialogProps) {
  const [made, setMade] = useState<NewKeyWire | null>(null);
  if (made) return <NewKey made={made} onClose={onClose} />;
  return (
    <>
      <KeyForm folder={folder} onMade={setMade} onClose={onClose} />
      <ConfirmPerson />
    </>
  );
}

interface KeyFormProps extends KeyDialogProps {
  readonly onMade: (made: NewKeyWire) => void;
}

function KeyForm({ folder, onMade, onClose }: KeyFormProps) {
  // Saving again after a lost answer must not make a second project.
  const [projectId] = useState(() => `p-${crypto.randomUUID()}`);
  const creating = useCreateKey();
  const models = useModels().data?.models ?? [];
  const form = useForm({
    initial:
      folder === null
        ? firstChoices
        : { ...firstChoices, name: beginningOf(folder), space: projectId },
    schema: keySchema,
    save: (choices) => {
      const isNew = choices.space === projectId;
      return creating.mutateAsync({
        ...requestOf(choices),
        ...(isNew && { newProject: choices.name.trim() }),
      });
    },
    onSaved: onMade,
  });
  const { values: choices, change, errorOf } = form;
  return (
    <FormDialog form={form} title="Create a key" saveLabel="Create" onClose={onClose}>
      <InputField
        label="Name"
        hint="Shown on what this program writes."
        maxLength={nameLength}
        autoComplete="off"
        {...form.text("name")}
      />
      <PlaceField
        space={choices.space}
        made={{ id: projectId, name: choices.name.trim() }}
        onChange={(space) => change({ space, blocks: null })}
      />
      <ApiFields form={form} models={models} />
      <McpScopeFields scopes={choices.mcp} onChange={(mcp) => change({ mcp })} />
      {knowsMemory(choices) && choices.space !== projectId && (
        <KeyBlocksFields
          space={choices.space}
          blocks={choices.blocks}
          onChange={(blocks) => change({ blocks })}
        />
      )}
      {[errorOf("blocks"), errorOf("usesApi")].map(
        (error) => error && <ErrorNotice key={error}>{error}</ErrorNotice>,
      )}
    </FormDialog>
  );
}

interface KeyChoices {
  readonly name: string;
  readonly space: string | null;
  readonly usesApi: boolean;
  readonly mcp: readonly McpScope[];
  readonly canWrite: boolean;
  readonly usesMemory: boolean;
  readonly keeps: KeyScopes["keeps"];
  readonly days: string;
  readonly blocks: readonly string[] | null;
  readonly model: string;
  readonly aliases: string;
  readonly limit: string;
  readonly atOnce: string;
}

const firstChoices: KeyChoices = {
  name: "",
  space: null,
  usesApi: true,
  mcp: [],
  canWrite: true,
  usesMemory: false,
  keeps: "chats",
  days: "",
  blocks: null,
  model: anyModel,
  aliases: "",
  limit: "",
  atOnce: "",
};

function knowsMemory({ usesApi, canWrite, usesMemory, mcp }: KeyChoices): boolean {
  return (usesApi && canWrite && usesMemory) || mcp.some((scope) => scope.startsWith("memory:"));
}

function mayAsk({ usesApi, canWrite }: Pick<KeyChoices, "usesApi" | "canWrite">): boolean {
  return usesApi && canWrite;
}

function keepsChats(choices: Pick<KeyChoices, "usesApi" | "canWrite" | "keeps">): boolean {
  return mayAsk(choices) && choices.keeps !== "nothing";
}

function beginningOf(name: string): string {
  const beginning = name.slice(0, nameLength);
  return beginning.isWellFormed() ? beginning : beginning.slice(0, -1);
}

function dollarsOf(limit: string): number {
  return Number(limit.replace(",", "."));
}

const keySchema: FormSchema<KeyChoices> = {
  name: ({ name }) => (name.trim() === "" ? "Name the program, to tell its chats apart." : null),
  limit: ({ limit }) => {
    const dollars = dollarsOf(limit);
    const isLimit = limit.trim() === "" || (dollars > 0 && dollars <= 1_000_000);
    return isLimit ? null : "Enter an amount in dollars, or leave it blank.";
  },
  days: (choices) => (keepsChats(choices) ? daysProblem(choices.days) : null),
  atOnce: (choices) => (mayAsk(choices) ? atOnceProblem(choices.atOnce) : null),
  aliases: ({ usesApi, aliases }) => (usesApi ? aliasProblem(aliases) : null),
  usesApi: ({ usesApi, mcp }) =>
    usesApi || mcp.length > 0 ? null : "Choose what the program may use: the API, or parts of MCP.",
  blocks: (choices) =>
    knowsMemory(choices) && choices.blocks?.length === 0
      ? "Choose a part of your memory, or all of it."
      : null,
};

function requestOf(choices: KeyChoices) {
  const { name, space, usesApi, mcp, canWrite, usesMemory, keeps, days, blocks, ...models } =
    choices;
  const { model, aliases, limit, atOnce } = models;
  return {
    name,
    space,
    usesApi,
    canWrite: usesApi && canWrite,
    usesMemory: usesApi && canWrite && usesMemory,
    keeps,
    keptDays: keepsChats(choices) ? wholeNumberIn(days) : null,
    models: model === anyModel ? null : [model],
    aliases: usesApi ? aliasesIn(aliases) : {},
    monthlyLimit: limit.trim() === "" ? null : dollarsOf(limit),
    maxRunning: mayAsk(choices) ? wholeNumberIn(atOnce) : null,
    blocks: knowsMemory(choices) && blocks ? [...blocks] : null,
    mcp: [...mcp],
  };
}

interface ApiFieldsProps {
  readonly form: Form<KeyChoices>;
  readonly models: readonly ModelWire[];
}

function ApiFields({ form, models }: ApiFieldsProps) {
  const { space, usesApi, canWrite, usesMemory, keeps, model } = form.values;
  return (
    <fieldset className="flex flex-col gap-4 rounded-lg border border-line p-4">
      <legend className="px-1 font-medium text-sm">OpenAI's and Anthropic's API</legend>
      <SwitchLine
        label="May use the API"
        note="It asks your models here instead of theirs."
        checked={usesApi}
        onChange={(isOn) => form.change({ usesApi: isOn })}
      />
      {usesApi && (
        <>
          <SwitchLine
            label="Ask models and write chats"
            note="Otherwise it only reads."
            checked={canWrite}
            onChange={(isOn) => form.change({ canWrite: isOn })}
          />
          <SwitchLine
            label={`Use ${space === null ? "my" : "the project's"} memory and Grove's tools`}
            note="Its models then read this memory, and write to it as in your own chats."
            checked={canWrite && usesMemory}
            disabled={!canWrite}
            onChange={(isOn) => form.change({ usesMemory: isOn })}
          />
          {canWrite && (
            <KeepsField keeps={keeps} onChange={(chosen) => form.change({ keeps: chosen })} />
          )}
          <More
            hasError={(["aliases", "limit", "atOnce", "days"] as const).some((field) =>
              form.errorOf(field),
            )}
          >
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
              onChange={(ref) => form.change({ model: ref })}
            />
            <AliasesField {...form.text("aliases")} />
            <InputField
              label="Monthly limit in dollars"
              optional
              hint="Requests are refused once its answers have cost this much."
              inputMode="decimal"
              autoComplete="off"
              {...form.text("limit")}
            />
            {mayAsk(form.values) && <AtOnceField {...form.text("atOnce")} />}
            {keepsChats(form.values) && <DaysField {...form.text("days")} />}
          </More>
        </>
      )}
    </fieldset>
  );
}

function More({ hasError, children }: { hasError: boolean; children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details
      open={isOpen || hasError}
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
    >
      <summary className="w-fit cursor-pointer rounded-sm text-muted text-sm">More</summary>
      <div className="flex flex-col gap-4 pt-4">{children}</div>
    </details>
  );
}

function NewKey({ made, onClose }: { made: NewKeyWire; onClose: () => void }) {
  const { key, secret } = made;
  return (
    <Dialog
      onClose={onClose}
      title={`The key of ${key.name}`}
      footer={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <p className="text-sm">
          Copy it now: it is not shown again.
          {key.space !== null &&
            " Put it in the settings of one folder, such as its .env file: chats of programs there are then in the project."}
        </p>
        <div className="flex items-center gap-2 rounded-md border border-line bg-sunken p-2">
          <code className="min-w-0 flex-1 select-all break-all font-mono text-xs">{secret}</code>
          <CopyButton text={secret} label="Copy the key" size="sm" />
        </div>
        {key.usesApi && (
          <Sample>{`OPENAI_BASE_URL=${location.origin}/v1\nOPENAI_API_KEY=grove_…${key.hint}`}</Sample>
        )}
        {key.usesApi && (
          <Sample>{`ANTHROPIC_BASE_URL=${location.origin}\nANTHROPIC_AUTH_TOKEN=grove_…${key.hint}`}</Sample>
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

interface KeyBlocksFieldsProps {
  readonly space: string | null;
  /** Ids of blocks; `null` for all. */
  readonly blocks: readonly string[] | null;
  readonly onChange: (blocks: readonly string[] | null) => void;
}

function KeyBlocksFields({ space, blocks, onChange }: KeyBlocksFieldsProps) {
  const known = useBlocksOf(space, { enabled: blocks !== null }).data;
  return (
    <fieldset className="flex flex-col gap-4 rounded-lg border border-line p-4">
      <legend className="px-1 font-medium text-sm">Which memory</legend>
      <SwitchLine
        label="All of it"
        note="Also parts that you add later. Models asked over the API then search your chats, too."
        checked={blocks === null}
        onChange={(isOn) => onChange(isOn ? null : [])}
      />
      {blocks !== null && !known && <Spinner label="Loading your memory" />}
      {blocks !== null &&
        known?.map(({ id, label, description }) => (
          <SwitchLine
            key={id}
            label={isolated(label)}
            note={description ?? ""}
            checked={blocks.includes(id)}
            onChange={(isOn) =>
              onChange(isOn ? [...blocks, id] : blocks.filter((each) => each !== id))
            }
          />
        ))}
    </fieldset>
  );
}
