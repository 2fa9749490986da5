"use client";

import { Plus, SlidersHorizontal } from "lucide-react";
import { useState } from "react";
import type { MemoryScope } from "@/app/_api/query-keys";
import { toastError, toastRetry } from "@/app/_api/toast-error";
import { FormDialog } from "@/app/_data/forms/form-dialog";
import { type Form, useForm } from "@/app/_data/forms/use-form";
import { blockTitle, everyChat } from "@/app/_data/memory/block-words";
import { useDeleteBlock, useRestoreBlock, useSetUpBlock } from "@/app/_data/memory/use-blocks";
import { Button, IconButton } from "@/app/_ui/button";
import { InputField, TextareaField } from "@/app/_ui/fields";
import { SelectField } from "@/app/_ui/select";
import { toastUndo } from "@/app/_ui/toast";
import type { BlockWire } from "@/lib/chat/wire/memory";
import {
  type BlockForm,
  blockFormOf,
  blockSchema,
  changeBody,
  createBody,
  hasRoom,
  labelOf,
} from "./block-form";
import { type NewKind, newKinds } from "./block-kinds";

interface BlockDialogProps {
  sessionId: MemoryScope;
  block: BlockWire | null;
  onClose: () => void;
}

const kinds = Object.entries(newKinds).map(([value, words]) => ({
  value: value as NewKind,
  ...words,
}));
const writers = [
  { value: "both", label: "You and the model" },
  { value: "person", label: "Only you" },
] as const;
const scopes = [
  { value: "owner", label: everyChat },
  { value: "session", label: "This chat only" },
] as const;

function BlockDialog({ sessionId, block, onClose }: BlockDialogProps) {
  const setUp = useSetUpBlock(sessionId);
  const form = useForm({
    initial: blockFormOf(block),
    schema: blockSchema(block),
    save: (values) =>
      setUp.mutateAsync(
        block
          ? { blockId: block.id, body: changeBody(values, block) }
          : { blockId: null, body: createBody(values) },
      ),
    onSaved: onClose,
    fieldOf: ({ field }) => (field === "label" ? "name" : field),
    draftKey: `block:${block?.id ?? `new:${sessionId}`}`,
  });
  return (
    <FormDialog
      form={form}
      title={block ? `Set up ${blockTitle(block.label)}` : "New section"}
      saveLabel={block ? "Save" : "Create"}
      otherButtons={
        block?.isOwn && <DeleteButton sessionId={sessionId} block={block} onDone={onClose} />
      }
      onClose={onClose}
    >
      <BlockFields form={form} block={block} isInSession={sessionId !== null} />
    </FormDialog>
  );
}

interface BlockFieldsProps {
  form: Form<BlockForm>;
  block: BlockWire | null;
  isInSession: boolean;
}

function BlockFields({ form, block, isInSession }: BlockFieldsProps) {
  const { values, change } = form;
  const isOwn = block === null || block.isOwn;
  const label = labelOf(values.name);
  return (
    <>
      {isOwn && (
        <InputField
          label="Name"
          hint={label === "" ? "One or two words." : `The model knows it as “${label}”.`}
          maxLength={60}
          autoComplete="off"
          {...form.text("name")}
        />
      )}
      <TextareaField
        label="Description"
        optional
        hint={
          isOwn
            ? "Tells the model what belongs here."
            : "Tells the model what belongs here. Leave blank for the default."
        }
        rows={2}
        maxLength={300}
        {...form.text("description")}
      />
      {block === null && (
        <SelectField
          label="Content"
          hint={newKinds[values.kind].note}
          value={values.kind}
          options={kinds}
          onChange={(kind) => change({ kind })}
        />
      )}
      {isOwn && (
        <SelectField
          label="Editable by"
          value={values.writers}
          options={writers}
          onChange={(chosen) => change({ writers: chosen })}
        />
      )}
      {block === null && isInSession && (
        <SelectField
          label="Scope"
          value={values.scope}
          options={scopes}
          onChange={(scope) => change({ scope })}
        />
      )}
      {hasRoom(values, block) && (
        <InputField
          label="Token limit"
          hint="One token is about four letters. Counts toward every request."
          inputMode="numeric"
          autoComplete="off"
          {...form.text("room")}
        />
      )}
    </>
  );
}

interface DeleteButtonProps {
  sessionId: MemoryScope;
  block: BlockWire;
  onDone: () => void;
}

function DeleteButton({ sessionId, block, onDone }: DeleteButtonProps) {
  const deletion = useDeleteBlock(sessionId);
  const [deletionId] = useState(() => crypto.randomUUID());
  const restoring = useRestoreBlock(sessionId);
  // The card with this button is gone by then.
  async function restore() {
    try {
      await restoring.mutateAsync(block.id);
    } catch (error) {
      toastRetry(error, () => void restore());
    }
  }
  async function remove() {
    try {
      await deletion.mutateAsync({ blockId: block.id, deletionId });
      onDone();
      toastUndo(`“${blockTitle(block.label)}” deleted.`, () => void restore());
    } catch (error) {
      toastError(error);
    }
  }
  return (
    <Button
      variant="ghost"
      className="mr-auto"
      busy={deletion.isPending}
      onClick={() => void remove()}
    >
      Delete
    </Button>
  );
}

export interface BlockSetupButtonProps {
  sessionId: MemoryScope;
  block: BlockWire;
}

export function BlockSetupButton({ sessionId, block }: BlockSetupButtonProps) {
  const [isOpen, setOpen] = useState(false);
  if (!block.isOwn && block.maxTokens === null) return null;
  return (
    <>
      <IconButton label={`Set up ${blockTitle(block.label)}`} onClick={() => setOpen(true)}>
        <SlidersHorizontal aria-hidden />
      </IconButton>
      {isOpen && <BlockDialog sessionId={sessionId} block={block} onClose={() => setOpen(false)} />}
    </>
  );
}

export function NewBlockButton({ sessionId }: { sessionId: MemoryScope }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button size="sm" onClick={() => setOpen(true)}>
        <Plus aria-hidden />
        New section
      </Button>
      {isOpen && <BlockDialog sessionId={sessionId} block={null} onClose={() => setOpen(false)} />}
    </>
  );
}
