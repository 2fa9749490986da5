"use client";

import { Plus } from "lucide-react";
import { type FormEvent, useId, useState } from "react";
import { ApiError, errorSentence } from "@/app/_api/api-error";
import { useDeletePrompt, usePrompts, useWritePrompt } from "@/app/_data/prompts/use-prompts";
import { SectionPending } from "@/app/_data/settings/section-pending";
import { Button } from "@/app/_ui/button";
import { Dialog } from "@/app/_ui/dialog";
import { focusFirstError, InputField, TextareaField } from "@/app/_ui/fields";
import { EmptyState, ErrorNotice } from "@/app/_ui/notice";
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

function PromptDialog({ prompt, onClose }: { prompt: PromptWire; onClose: () => void }) {
  const formId = useId();
  const [name, setName] = useState(prompt.name);
  const [text, setText] = useState(prompt.text);
  const [wasTried, setWasTried] = useState(false);
  const writing = useWritePrompt();
  const refusal = writing.error instanceof ApiError ? writing.error : null;
  const isName = promptName.safeParse(name).success;
  const nameError = isName ? null : "Use up to 40 letters, digits and hyphens.";
  const textError = text.trim() === "" ? "Write the text of the prompt." : null;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setWasTried(true);
    if (nameError || textError) return focusFirstError(event.currentTarget);
    writing.mutate({ id: prompt.id, name, text }, { onSuccess: onClose });
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      width="md"
      title={prompt.name === "" ? "New prompt" : "Edit prompt"}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form={formId} busy={writing.isPending}>
            Save
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} noValidate className="flex flex-col gap-4">
        {refusal && refusal.field !== "name" && <ErrorNotice>{errorSentence(refusal)}</ErrorNotice>}
        <InputField
          label="Name"
          hint="Typed after a slash."
          error={
            wasTried && nameError ? nameError : refusal?.field === "name" ? refusal.message : null
          }
          value={name}
          maxLength={40}
          autoComplete="off"
          onChange={(event) => setName(event.target.value)}
        />
        <TextareaField
          label="Text"
          hint="{{name}} makes a field to fill in."
          error={wasTried ? textError : null}
          rows={6}
          value={text}
          maxLength={4_000}
          onChange={(event) => setText(event.target.value)}
        />
      </form>
    </Dialog>
  );
}
