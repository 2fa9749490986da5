"use client";

import { type FormEvent, useId, useState } from "react";
import type { MemoryScope } from "@/app/_api/query-keys";
import { FormDialog } from "@/app/_data/forms/form-dialog";
import { Button } from "@/app/_ui/button";
import { InputField, TextareaField } from "@/app/_ui/fields";
import type { BlockWire, EntryDocumentWire } from "@/lib/chat/wire/memory";
import type { ShownEntries } from "./block-kinds";
import { ConflictChoice } from "./conflict-choice";
import { maxEntryCharacters } from "./import-document";
import { type EntryText, useEntryForm } from "./use-entry-form";

export interface EntryFormProps {
  sessionId: MemoryScope;
  block: BlockWire;
  kind: ShownEntries;
  entry: EntryDocumentWire | null;
  onClose: () => void;
}

export function EntryForm({ sessionId, block, kind, entry, onClose }: EntryFormProps) {
  const { text, save, ...form } = useEntryForm({
    ...{ sessionId, blockId: block.id, entry },
    onSaved: onClose,
  });
  const id = useId();
  const [isTried, setTried] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (!missingIn(text)) save();
  };
  return (
    <FormDialog
      form={{ ...form, id, submit, hasSchema: true }}
      title={entry ? `Edit ${kind.noun}` : `Add ${kind.noun}`}
      description={kind.about}
      width="md"
      saveLabel="Save"
      canSave={form.conflict === null}
      onClose={onClose}
    >
      <EntryFields
        text={text}
        missing={isTried ? missingIn(text) : null}
        kind={kind}
        onChange={form.change}
      />
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
      {form.conflict && (
        <ConflictChoice
          mine={text.content}
          theirs={form.conflict.content}
          onKeepMine={form.keepMine}
          onTakeTheirs={form.takeTheirs}
        />
      )}
    </FormDialog>
  );
}

interface EntryFieldsProps {
  text: EntryText;
  missing: "title" | "content" | null;
  kind: ShownEntries;
  onChange: (change: Partial<EntryText>) => void;
}

function EntryFields({ text, missing, kind, onChange }: EntryFieldsProps) {
  return (
    <>
      <InputField
        label={kind.titleLabel}
        error={missing === "title" ? "Enter a name." : null}
        maxLength={200}
        value={text.title}
        onChange={(event) => onChange({ title: event.target.value })}
      />
      {kind.descriptionHint !== null && (
        <TextareaField
          label="Description"
          hint={kind.descriptionHint}
          rows={2}
          maxLength={1_024}
          value={text.description}
          onChange={(event) => onChange({ description: event.target.value })}
        />
      )}
      <TextareaField
        label={kind.contentLabel}
        error={missing === "content" ? "Enter some text." : null}
        rows={10}
        maxRows={18}
        dir="auto"
        maxLength={maxEntryCharacters}
        value={text.content}
        onChange={(event) => onChange({ content: event.target.value })}
      />
    </>
  );
}

function missingIn({ title, content }: EntryText): "title" | "content" | null {
  if (title.trim() === "") return "title";
  return content.trim() === "" ? "content" : null;
}
