"use client";

import { type FormEvent, useId, useState } from "react";
import type { BlockScope } from "@/app/_api/query-keys";
import { Button } from "@/app/_ui/button";
import { Dialog } from "@/app/_ui/dialog";
import { InputField, TextareaField } from "@/app/_ui/fields";
import { ErrorNotice } from "@/app/_ui/notice";
import type { BlockWire, EntryDocumentWire } from "@/lib/chat/wire/memory";
import { ConflictChoice } from "./conflict-choice";
import { maxEntryCharacters } from "./import-document";
import { type EntryText, useEntryForm } from "./use-entry-form";

export interface EntryFormProps {
  sessionId: BlockScope;
  block: BlockWire;
  /** `null` for a new one. */
  entry: EntryDocumentWire | null;
  onClose: () => void;
}

/** Unsaved text is kept when it closes. */
export function EntryForm({ sessionId, block, entry, onClose }: EntryFormProps) {
  const form = useEntryForm({ sessionId, blockId: block.id, entry, onSaved: onClose });
  const formId = useId();
  const isSkill = block.kind === "loadable";
  const cancel = () => {
    form.discard();
    onClose();
  };
  const noun = isSkill ? "skill" : "knowledge";
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={entry ? `Edit ${noun}` : `Add ${noun}`}
      description={
        isSkill
          ? "The model sees the name and description, and loads the instructions when needed."
          : "The model can search and quote this text."
      }
      width="md"
      footer={
        <>
          <Button onClick={cancel}>{form.isRestored ? "Discard" : "Cancel"}</Button>
          <Button
            variant="primary"
            type="submit"
            form={formId}
            busy={form.isSaving}
            disabled={form.conflict !== null}
          >
            Save
          </Button>
        </>
      }
    >
      {form.isRestored && (
        <p role="status" className="mb-4 rounded-lg bg-accent-soft px-3.5 py-2.5 text-sm">
          Unsaved changes from last time.
        </p>
      )}
      <EntryFields form={form} formId={formId} isSkill={isSkill} />
    </Dialog>
  );
}

interface EntryFieldsProps {
  form: ReturnType<typeof useEntryForm>;
  formId: string;
  isSkill: boolean;
}

function EntryFields({ form, formId, isSkill }: EntryFieldsProps) {
  const [isTried, setTried] = useState(false);
  const { text, change, conflict, error, save } = form;
  const missing = isTried ? missingIn(text) : null;

  function onSubmit(event: FormEvent) {
    event.preventDefault();
    setTried(true);
    if (!missingIn(text)) save();
  }

  return (
    <form id={formId} onSubmit={onSubmit} className="flex flex-col gap-4">
      <InputField
        label={isSkill ? "Name" : "Title"}
        error={missing === "title" ? "Enter a name." : null}
        maxLength={200}
        value={text.title}
        onChange={(event) => change({ title: event.target.value })}
      />
      {isSkill && (
        <TextareaField
          label="Description"
          hint="When should the model use it?"
          rows={2}
          maxLength={1_024}
          value={text.description}
          onChange={(event) => change({ description: event.target.value })}
        />
      )}
      <TextareaField
        label={isSkill ? "Instructions" : "Text"}
        error={missing === "content" ? "Enter some text." : null}
        rows={10}
        maxRows={18}
        dir="auto"
        maxLength={maxEntryCharacters}
        value={text.content}
        onChange={(event) => change({ content: event.target.value })}
      />
      {error && <ErrorNotice>{error}</ErrorNotice>}
      {form.hasDiscarded && (
        <p
          role="status"
          className="flex items-center gap-3 rounded-lg bg-accent-soft px-3.5 py-2 text-sm"
        >
          <span className="flex-1">Your version was discarded.</span>
          <Button size="sm" onClick={form.takeMineAgain}>
            Undo
          </Button>
        </p>
      )}
      {conflict && (
        <ConflictChoice
          mine={text.content}
          theirs={conflict.content}
          onKeepMine={form.keepMine}
          onTakeTheirs={form.takeTheirs}
        />
      )}
    </form>
  );
}

function missingIn({ title, content }: EntryText): "title" | "content" | null {
  if (title.trim() === "") return "title";
  return content.trim() === "" ? "content" : null;
}
