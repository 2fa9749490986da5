"use client";

import { type ReactNode, useState } from "react";
import { refOfAssistant } from "@/app/_data/assistants/use-assistants";
import { useWriteAssistant } from "@/app/_data/assistants/write-assistant";
import { FormDialog } from "@/app/_data/forms/form-dialog";
import { type FormSchema, type FormState, useForm } from "@/app/_data/forms/use-form";
import { useModels } from "@/app/_data/models/use-models";
import { Button } from "@/app/_ui/button";
import { InputField, TextareaField } from "@/app/_ui/fields";
import { SelectField } from "@/app/_ui/select";
import { assistantProblem, assistantText, readAssistant } from "@/lib/chat/wire/assistants";
import type { EntryDocumentWire } from "@/lib/chat/wire/memory";
import { maxEntryCharacters } from "./import-document";

export interface AssistantFormProps {
  /** `null` makes a new one. */
  readonly entry: EntryDocumentWire | null;
  readonly onClose: () => void;
}

export function AssistantForm(props: AssistantFormProps) {
  const { entry } = props;
  const isReadable = assistantProblem(entry?.content ?? "") === null;
  const [isText, setText] = useState(!isReadable);
  const toggle = isReadable && (
    <Button size="sm" variant="ghost" className="self-start" onClick={() => setText(!isText)}>
      {isText ? "Edit fields" : "Edit as text"}
    </Button>
  );
  return isText ? (
    <TextForm {...props} toggle={toggle} />
  ) : (
    <FieldsForm {...props} toggle={toggle} />
  );
}

interface FormProps extends AssistantFormProps {
  readonly toggle: ReactNode;
}

interface AssistantDialogProps extends FormProps {
  readonly form: FormState;
  readonly children: ReactNode;
}

function AssistantDialog({ form, entry, toggle, onClose, children }: AssistantDialogProps) {
  return (
    <FormDialog
      form={form}
      width="md"
      title={entry ? "Edit assistant" : "New assistant"}
      saveLabel="Save"
      onClose={onClose}
    >
      {children}
      {!form.isChanged && toggle}
    </FormDialog>
  );
}

interface AssistantFields {
  readonly name: string;
  readonly icon: string;
  readonly description: string;
  readonly model: string;
  readonly body: string;
  readonly starters: string;
  readonly tools: string;
  readonly skills: string;
}

const fieldSchema: FormSchema<AssistantFields> = {
  name: ({ name }) => (name.trim() === "" ? "Enter a name." : null),
  icon: ({ icon }) => {
    const text = assistantText("", { icon: icon.trim() }, "");
    return readAssistant(text, "").ignored.length > 0 ? "Use one emoji." : null;
  },
};

const anyModel = "any";

function FieldsForm({ entry, toggle, onClose }: FormProps) {
  const stored = entry?.content ?? "";
  const assistant = readAssistant(stored, entry?.title ?? "");
  const { name, icon, description, model, body, starters, tools, skills } = assistant;
  const saving = useSaving(entry);
  const form = useForm<AssistantFields>({
    initial: {
      ...{ name, description, body },
      icon: icon ?? "",
      model: model ?? anyModel,
      starters: starters.join("\n"),
      tools: tools?.join(", ") ?? "",
      skills: skills.join(", "),
    },
    schema: fieldSchema,
    save: (values) => saving(values.name.trim(), textOf(stored, values)),
    onSaved: onClose,
    draftKey: `assistant:${entry?.key ?? "new"}`,
  });
  return (
    <AssistantDialog form={form} entry={entry} toggle={toggle} onClose={onClose}>
      <InputField label="Name" maxLength={80} autoComplete="off" {...form.text("name")} />
      <TextareaField label="Description" rows={2} maxLength={1_024} {...form.text("description")} />
      <TextareaField
        label="Instructions"
        hint="How it answers. Follows your own instructions in the prompt."
        rows={8}
        maxRows={18}
        dir="auto"
        maxLength={maxEntryCharacters}
        {...form.text("body")}
      />
      <ModelField value={form.values.model} onChange={(next) => form.change({ model: next })} />
      <InputField label="Icon" hint="One emoji." optional {...form.text("icon")} />
      <TextareaField
        label="First messages"
        hint="Suggested in a new chat, one on each line, four at most."
        optional
        rows={2}
        {...form.text("starters")}
      />
      <InputField
        label="Tools"
        hint={`The only ones it may use, by name, with commas between. Empty: ${tools?.length === 0 ? "none" : "all that you allow"}.`}
        optional
        {...form.text("tools")}
      />
      <InputField
        label="Skills"
        hint="Part of its instructions, by name, with commas between."
        optional
        {...form.text("skills")}
      />
      {assistant.ignored.length > 0 && (
        <ul aria-label="Not used" className="flex flex-col gap-1 text-faint text-xs">
          {assistant.ignored.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
    </AssistantDialog>
  );
}

export function textOf(stored: string, values: AssistantFields): string {
  const before = readAssistant(stored, "");
  const list = (text: string, mark: RegExp) => {
    return text.split(mark).flatMap((item) => item.trim() || []);
  };
  // An empty field of a text that allows no tool goes on allowing none.
  const none = before.tools?.length === 0 ? [] : null;
  const next = {
    name: values.name.trim(),
    icon: values.icon.trim(),
    description: values.description.trim(),
    model: values.model === anyModel ? "" : values.model,
    starters: list(values.starters, /\n/),
    tools: values.tools.trim() === "" ? none : list(values.tools, /,/),
    skills: list(values.skills, /,/),
  };
  const known: Record<string, unknown> = {
    ...before,
    ...{ icon: before.icon ?? "", model: before.model ?? "" },
  };
  const changed = Object.entries(next).filter(([field, value]) => {
    return JSON.stringify(known[field]) !== JSON.stringify(value);
  });
  return assistantText(stored, Object.fromEntries(changed), values.body);
}

interface ModelFieldProps {
  readonly value: string;
  readonly onChange: (model: string) => void;
}

function ModelField({ value, onChange }: ModelFieldProps) {
  const { data } = useModels();
  const models = data?.models.filter(({ isHidden, ref }) => !isHidden || ref === value) ?? [];
  const isGone = value !== anyModel && !models.some(({ ref }) => ref === value);
  return (
    <SelectField
      label="Model"
      value={value}
      options={[
        { value: anyModel, label: "The chat's" },
        ...(isGone ? [{ value, label: data ? `${value} (not available)` : value }] : []),
        ...models.map(({ ref, label, provider }) => ({ value: ref, label, note: provider })),
      ]}
      onChange={onChange}
    />
  );
}

const textSchema: FormSchema<{ content: string }> = {
  content: ({ content }) =>
    content.trim() === "" ? "Enter some text." : assistantProblem(content),
};

function TextForm({ entry, toggle, onClose }: FormProps) {
  const saving = useSaving(entry);
  const form = useForm({
    initial: { content: entry?.content ?? "---\nname: \n---\n\n" },
    schema: textSchema,
    save: ({ content }) => saving(entry?.title ?? "Assistant", content),
    onSaved: onClose,
    draftKey: `assistant-text:${entry?.key ?? "new"}`,
  });
  return (
    <AssistantDialog form={form} entry={entry} toggle={toggle} onClose={onClose}>
      <TextareaField
        label="Text"
        hint="Fields between the lines of ---, then the instructions."
        rows={14}
        maxRows={24}
        dir="auto"
        maxLength={maxEntryCharacters}
        className="font-mono text-sm"
        {...form.text("content")}
      />
    </AssistantDialog>
  );
}

/** Replaces exactly the version that the form opened with. */
function useSaving(entry: EntryDocumentWire | null) {
  const { mutateAsync } = useWriteAssistant();
  const [opened] = useState(entry);
  return async (title: string, content: string) => {
    const made = await mutateAsync({
      ...(opened && { key: opened.key, expectedVersion: opened.version }),
      ...{ title, content },
    });
    return refOfAssistant(made);
  };
}
