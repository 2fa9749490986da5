"use client";

import { Plus, SlidersHorizontal } from "lucide-react";
import { type FormEvent, useId, useState } from "react";
import { ApiError, errorSentence } from "@/app/_api/api-error";
import type { BlockScope } from "@/app/_api/query-keys";
import { toastError } from "@/app/_api/toast-error";
import { blockTitle } from "@/app/_data/memory/block-words";
import { useDeleteBlock, useRestoreBlock, useSetUpBlock } from "@/app/_data/memory/use-blocks";
import { Button, IconButton } from "@/app/_ui/button";
import { Dialog } from "@/app/_ui/dialog";
import { focusFirstError, InputField, TextareaField } from "@/app/_ui/fields";
import { ErrorNotice } from "@/app/_ui/notice";
import { SelectField } from "@/app/_ui/select";
import { toastUndo } from "@/app/_ui/toast";
import type { BlockWire } from "@/lib/chat/wire/memory";
import {
  type BlockForm,
  type BlockFormErrors,
  blockFormErrors,
  blockFormOf,
  changeBody,
  createBody,
  hasRoom,
  labelOf,
} from "./block-form";

interface BlockDialogProps {
  sessionId: BlockScope;
  /** `null` creates one. */
  block: BlockWire | null;
  onClose: () => void;
}

const kinds = [
  { value: "writable", label: "Text", note: "Always included in the prompt. Keep it short." },
  { value: "searchable", label: "Entries", note: "Searched by the model when needed." },
] as const;
const writers = [
  { value: "both", label: "You and the model" },
  { value: "person", label: "Only you" },
] as const;
const scopes = [
  { value: "owner", label: "All chats" },
  { value: "session", label: "This chat only" },
] as const;

function BlockDialog({ sessionId, block, onClose }: BlockDialogProps) {
  const formId = useId();
  const [form, setForm] = useState(() => blockFormOf(block));
  const [wasTried, setWasTried] = useState(false);
  const setUp = useSetUpBlock(sessionId);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setWasTried(true);
    if (Object.keys(blockFormErrors(form, block)).length > 0)
      return focusFirstError(event.currentTarget);
    setUp.mutate(
      block
        ? { blockId: block.id, body: changeBody(form, block) }
        : { blockId: null, body: createBody(form) },
      { onSuccess: onClose },
    );
  };

  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={block ? `Set up ${blockTitle(block.label)}` : "New section"}
      footer={
        <>
          {block?.isOwn && <DeleteButton sessionId={sessionId} block={block} onDone={onClose} />}
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form={formId} busy={setUp.isPending}>
            {block ? "Save" : "Create"}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} noValidate className="flex flex-col gap-4">
        <BlockFields
          form={form}
          block={block}
          isInSession={sessionId !== null}
          errors={errorsOf(setUp.error, wasTried ? blockFormErrors(form, block) : {})}
          onChange={(change) => {
            // The error was about the previous input.
            setUp.reset();
            setForm((before) => ({ ...before, ...change }));
          }}
        />
        {setUp.error && !isAboutName(setUp.error) && (
          <ErrorNotice>{errorSentence(setUp.error)}</ErrorNotice>
        )}
      </form>
    </Dialog>
  );
}

interface BlockFieldsProps {
  form: BlockForm;
  block: BlockWire | null;
  isInSession: boolean;
  errors: BlockFormErrors;
  onChange: (change: Partial<BlockForm>) => void;
}

function BlockFields({ form, block, isInSession, errors, onChange }: BlockFieldsProps) {
  const isOwn = block === null || block.isOwn;
  const label = labelOf(form.name);
  return (
    <>
      {isOwn && (
        <InputField
          label="Name"
          hint={label === "" ? "One or two words." : `The model knows it as “${label}”.`}
          error={errors.name ?? null}
          value={form.name}
          maxLength={60}
          autoComplete="off"
          onChange={(event) => onChange({ name: event.target.value })}
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
        value={form.description}
        onChange={(event) => onChange({ description: event.target.value })}
      />
      {block === null && (
        <SelectField
          label="Content"
          hint={kinds.find(({ value }) => value === form.kind)?.note}
          value={form.kind}
          options={kinds}
          onChange={(kind) => onChange({ kind })}
        />
      )}
      {isOwn && (
        <SelectField
          label="Editable by"
          value={form.writers}
          options={writers}
          onChange={(chosen) => onChange({ writers: chosen })}
        />
      )}
      {block === null && isInSession && (
        <SelectField
          label="Scope"
          value={form.scope}
          options={scopes}
          onChange={(scope) => onChange({ scope })}
        />
      )}
      {hasRoom(form, block) && (
        <InputField
          label="Token limit"
          hint="One token is about four letters. Counts toward every request."
          error={errors.room ?? null}
          inputMode="numeric"
          autoComplete="off"
          value={form.room}
          onChange={(event) => onChange({ room: event.target.value })}
        />
      )}
    </>
  );
}

interface DeleteButtonProps {
  sessionId: BlockScope;
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
      toastError(error, () => void restore());
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

function errorsOf(refusal: unknown, typed: BlockFormErrors): BlockFormErrors {
  return isAboutName(refusal) ? { name: errorSentence(refusal), ...typed } : typed;
}

function isAboutName(error: unknown): boolean {
  return error instanceof ApiError && error.field === "label";
}

export interface BlockSetupButtonProps {
  sessionId: BlockScope;
  block: BlockWire;
}

/** Hidden where no setting can change. */
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

export function NewBlockButton({ sessionId }: { sessionId: BlockScope }) {
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
