"use client";

import { FormDialog } from "@/app/_data/forms/form-dialog";
import { useForm } from "@/app/_data/forms/use-form";
import { type Bookmarkable, useTranscriptActions } from "@/app/_message/chat-session-context";
import { Button } from "@/app/_ui/button";
import { InputField } from "@/app/_ui/fields";

const maxLength = 80;

export interface BookmarkDialogProps {
  readonly message: Bookmarkable;
  readonly onClose: () => void;
}

export function BookmarkDialog({ message, onClose }: BookmarkDialogProps) {
  const { setBookmark, toggleBookmark } = useTranscriptActions();
  const form = useForm({
    initial: { name: message.label ?? "" },
    save: async ({ name }) => {
      const label = name.replace(/\s+/gu, " ").trim() || null;
      if (label !== message.label) await setBookmark(message, { pinned: true, label });
    },
    onSaved: onClose,
  });

  return (
    <FormDialog
      form={form}
      title="Name this bookmark"
      description="Shown here and in the tree. The model doesn't see it."
      saveLabel="Save"
      otherButtons={
        <Button
          className="mr-auto"
          disabled={form.isSaving}
          onClick={() => {
            toggleBookmark(message);
            onClose();
          }}
        >
          Remove bookmark
        </Button>
      }
      onClose={onClose}
    >
      <InputField label="Name" dir="auto" maxLength={maxLength} {...form.text("name")} />
    </FormDialog>
  );
}
