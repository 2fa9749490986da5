"use client";

import { Check, Copy } from "lucide-react";
import { type FormEvent, useId, useState } from "react";
import { ApiError, errorSentence } from "@/app/_api/api-error";
import { Button } from "@/app/_ui/button";
import { Dialog } from "@/app/_ui/dialog";
import { focusFirstError, InputField } from "@/app/_ui/fields";
import { ErrorNotice } from "@/app/_ui/notice";
import { SelectField } from "@/app/_ui/select";
import { Switch } from "@/app/_ui/toggles";
import type { NewKeyWire } from "@/lib/chat/wire/keys";
import { useCreateKey } from "./use-keys";
import { useModels } from "./use-models";

const anyModel = "any";

export function KeyDialog({ onClose }: { onClose: () => void }) {
  const creating = useCreateKey();
  if (creating.data) return <NewKey made={creating.data} onClose={onClose} />;
  return <KeyForm creating={creating} onClose={onClose} />;
}

interface KeyFormProps {
  readonly creating: ReturnType<typeof useCreateKey>;
  readonly onClose: () => void;
}

function KeyForm({ creating, onClose }: KeyFormProps) {
  const formId = useId();
  const [name, setName] = useState("");
  const [canWrite, setCanWrite] = useState(true);
  const [usesMemory, setUsesMemory] = useState(false);
  const [model, setModel] = useState(anyModel);
  const [limit, setLimit] = useState("");
  const [wasTried, setWasTried] = useState(false);
  const models = useModels().data?.models ?? [];
  const nameError = name.trim() === "" ? "Name the program, to tell its chats apart." : null;
  const dollars = Number(limit.replace(",", "."));
  const isLimit = limit.trim() === "" || (dollars > 0 && dollars <= 1_000_000);
  const limitError = isLimit ? null : "Enter an amount in dollars, or leave it blank.";
  const refusal = creating.error instanceof ApiError ? creating.error : null;

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setWasTried(true);
    if (nameError || limitError) return focusFirstError(event.currentTarget);
    creating.mutate({
      name,
      canWrite,
      usesMemory: canWrite && usesMemory,
      models: model === anyModel ? null : [model],
      monthlyLimit: limit.trim() === "" ? null : dollars,
    });
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
          hint="Shown on the chats of this program."
          error={wasTried ? nameError : refusal?.field === "name" ? refusal.message : null}
          value={name}
          maxLength={60}
          autoComplete="off"
          onChange={(event) => setName(event.target.value)}
        />
        <SwitchLine
          label="Ask models and write chats"
          note="Otherwise it only reads."
          checked={canWrite}
          onChange={setCanWrite}
        />
        <SwitchLine
          label="Use my memory and Grove's tools"
          note="Its models then read your memory, and write to it as in your own chats."
          checked={canWrite && usesMemory}
          disabled={!canWrite}
          onChange={setUsesMemory}
        />
        <SelectField
          label="Models"
          value={model}
          options={[
            { value: anyModel, label: "All models" },
            ...models.map(({ ref, label, provider }) => ({
              value: ref,
              label: `${label} · ${provider}`,
            })),
          ]}
          onChange={setModel}
        />
        <InputField
          label="Monthly limit in dollars"
          optional
          hint="Requests are refused once its answers have cost this much."
          error={wasTried ? limitError : null}
          value={limit}
          inputMode="decimal"
          autoComplete="off"
          onChange={(event) => setLimit(event.target.value)}
        />
        {creating.error && !refusal?.field && (
          <ErrorNotice>{errorSentence(creating.error)}</ErrorNotice>
        )}
      </form>
    </Dialog>
  );
}

interface SwitchLineProps {
  readonly label: string;
  readonly note: string;
  readonly checked: boolean;
  readonly disabled?: boolean;
  readonly onChange: (checked: boolean) => void;
}

function SwitchLine({ label, note, checked, disabled = false, onChange }: SwitchLineProps) {
  const id = useId();
  return (
    <div className="flex items-center gap-4">
      <div className="min-w-0 flex-1">
        <label htmlFor={id} className="font-medium text-sm">
          {label}
        </label>
        <p id={`${id}-note`} className="text-faint text-xs">
          {note}
        </p>
      </div>
      <Switch
        id={id}
        describedBy={`${id}-note`}
        checked={checked}
        disabled={disabled}
        onChange={onChange}
      />
    </div>
  );
}

function NewKey({ made, onClose }: { made: NewKeyWire; onClose: () => void }) {
  const [isCopied, setIsCopied] = useState(false);
  const copy = () =>
    navigator.clipboard.writeText(made.secret).then(
      () => setIsCopied(true),
      // The key is selectable beside the button.
      () => setIsCopied(false),
    );
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`The key of ${made.key.name}`}
      footer={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <p className="text-sm">Copy it now: it is not shown again.</p>
        <div className="flex items-center gap-2 rounded-md border border-line bg-sunken p-2">
          <code className="min-w-0 flex-1 select-all break-all font-mono text-xs">
            {made.secret}
          </code>
          <Button size="sm" onClick={copy}>
            {isCopied ? <Check aria-hidden /> : <Copy aria-hidden />}
            {isCopied ? "Copied" : "Copy"}
          </Button>
        </div>
        <pre className="overflow-x-auto rounded-md bg-sunken p-3 text-xs leading-relaxed">
          <code>{`OPENAI_BASE_URL=${location.origin}/v1\nOPENAI_API_KEY=grove_…${made.key.hint}`}</code>
        </pre>
      </div>
    </Dialog>
  );
}
