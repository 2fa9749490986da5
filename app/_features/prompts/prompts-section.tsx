"use client";

import { Plus } from "lucide-react";
import { useState } from "react";
import { FormDialog } from "@/app/_data/forms/form-dialog";
import { type FormSchema, useForm } from "@/app/_data/forms/use-form";
import { useDeletePrompt, usePrompts, useWritePrompt } from "@/app/_data/prompts/use-prompts";
import { SectionPending } from "@/app/_data/settings/section-pending";
import { Button } from "@/app/_ui/button";
import { InputField, TextareaField } from "@/app/_ui/fields";
import { EmptyState } from "@/app/_ui/notice";
import {
  SettingsCard,
  SettingsGroup,
  SettingsLine,
  SettingsSection,
} from "@/app/_ui/settings-section";
import { type PromptWire, promptName } from "@/lib/chat/wire/prompts";

export function PromptsSection() {
  const prompts = usePrompts();
  const remove = useDeletePrompt();
  const [edited, setEdited] = useState<PromptWire | null>(null);
  if (!prompts.data) return <SectionPending query={prompts} />;
  const { prompts: all } = prompts.data;
  return (
    <SettingsSection
      title="Prompts"
      note="Type / in the composer and choose one by its name. Tab moves between its {{fields}}."
    >
      <SettingsGroup
        title="Your prompts"
        action={
          <Button
            size="sm"
            onClick={() => setEdited({ id: crypto.randomUUID(), name: "", text: "" })}
          >
            <Plus aria-hidden />
            New prompt
          </Button>
        }
      >
        <SettingsCard>
          {all.length === 0 && (
            <EmptyState title="No prompts yet">
              Save a text you write often, such as “Translate {"{{text}}"} to {"{{language}}"}”.
            </EmptyState>
          )}
          {all.map((prompt) => (
            <SettingsLine
              key={prompt.id}
              title={`/${prompt.name}`}
              note={<span className="line-clamp-2">{prompt.text}</span>}
            >
              <Button
                size="sm"
                aria-label={`Edit ${prompt.name}`}
                onClick={() => setEdited(prompt)}
              >
                Edit
              </Button>
              <Button size="sm" aria-label={`Delete ${prompt.name}`} onClick={() => remove(prompt)}>
                Delete
              </Button>
            </SettingsLine>
          ))}
        </SettingsCard>
      </SettingsGroup>
      {edited && <PromptDialog prompt={edited} onClose={() => setEdited(null)} />}
    </SettingsSection>
  );
}

const promptSchema: FormSchema<Omit<PromptWire, "id">> = {
  name: ({ name }) =>
    promptName.safeParse(name).success ? null : "Use up to 40 letters, digits and hyphens.",
  text: ({ text }) => (text.trim() === "" ? "Write the text of the prompt." : null),
};

function PromptDialog({ prompt, onClose }: { prompt: PromptWire; onClose: () => void }) {
  const { id, name, text } = prompt;
  const isNew = name === "";
  const writing = useWritePrompt();
  const form = useForm({
    initial: { name, text },
    schema: promptSchema,
    save: (values) => writing.mutateAsync({ id, ...values }),
    onSaved: onClose,
    draftKey: `prompt:${isNew ? "new" : id}`,
  });
  return (
    <FormDialog
      form={form}
      width="md"
      title={isNew ? "New prompt" : "Edit prompt"}
      saveLabel="Save"
      onClose={onClose}
    >
      <InputField
        label="Name"
        hint="Typed after a slash."
        maxLength={40}
        autoComplete="off"
        {...form.text("name")}
      />
      <TextareaField
        label="Text"
        hint="{{name}} makes a field to fill in."
        rows={6}
        maxLength={4_000}
        {...form.text("text")}
      />
    </FormDialog>
  );
}
