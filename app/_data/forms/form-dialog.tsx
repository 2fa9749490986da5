"use client";

import type { ReactNode } from "react";
import { Button, type ButtonProps } from "@/app/_ui/button";
import { Dialog, type DialogProps } from "@/app/_ui/dialog";
import { ErrorNotice } from "@/app/_ui/notice";
import type { FormState } from "./use-form";

export interface FormDialogProps
  extends Pick<DialogProps, "title" | "description" | "width" | "children"> {
  readonly form: FormState;
  readonly saveLabel: string | null;
  readonly saveVariant?: ButtonProps["variant"];
  readonly canSave?: boolean;
  readonly busy?: boolean;
  readonly cancelLabel?: string | null;
  readonly otherButtons?: ReactNode;
  readonly onClose: () => void;
}

export function FormDialog({
  form,
  saveLabel,
  saveVariant = "primary",
  canSave = true,
  busy = form.isSaving,
  cancelLabel = form.isRestored ? "Discard" : "Cancel",
  otherButtons,
  onClose,
  children,
  ...dialog
}: FormDialogProps) {
  const cancel = () => {
    form.discard();
    onClose();
  };
  return (
    <Dialog
      {...dialog}
      onClose={onClose}
      closesOutside={!form.isChanged}
      footer={
        <>
          {otherButtons}
          {cancelLabel !== null && <Button onClick={cancel}>{cancelLabel}</Button>}
          {saveLabel !== null && (
            <Button
              variant={saveVariant}
              type="submit"
              form={form.id}
              disabled={!canSave}
              busy={busy}
            >
              {saveLabel}
            </Button>
          )}
        </>
      }
    >
      <form
        id={form.id}
        onSubmit={form.submit}
        noValidate={form.hasSchema}
        className="flex flex-col gap-4"
      >
        {form.isRestored && (
          <p role="status" className="rounded-lg bg-accent-soft px-3.5 py-2.5 text-sm">
            Unsaved changes from last time.
          </p>
        )}
        {children}
        {form.problem && <ErrorNotice>{form.problem}</ErrorNotice>}
      </form>
    </Dialog>
  );
}
