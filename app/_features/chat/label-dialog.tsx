"use client";

import { useLabelMessage } from "@/app/_data/chat/use-messages";
import { FormDialog } from "@/app/_data/forms/form-dialog";
import { useForm } from "@/app/_data/forms/use-form";
import { Button } from "@/app/_ui/button";
import { InputField } from "@/app/_ui/fields";

const maxLength = 80;

export interface LabelDialogProps {
  readonly sessionId: string;
  readonly messageId: string;
  readonly label: string | null;
  readonly onLabelled: (messageId: string, label: string | null) => void;
  readonly onClose: () => void;
}

export function LabelDialog(props: LabelDialogProps) {
  const { sessionId, messageId, label, onLabelled, onClose } = props;
  const labelling = useLabelMessage(sessionId);
  const form = useForm({
    initial: { label: label ?? "" },
    save: (values) => store(values.label.trim() || null),
    onSaved: onClose,
  });

  async function store(next: string | null) {
    if (next === label) return;
    const entry = await labelling.mutateAsync({ messageId, label: next });
    onLabelled(messageId, entry.label);
  }

  return (
    <FormDialog
      form={form}
      title="Label this message"
      description="Shown here and in the tree. The model doesn't see it."
      saveLabel="Save"
      otherButtons={
        label !== null && (
          <Button
            className="mr-auto"
            onClick={() => form.saveBy(() => store(null), onClose)}
            disabled={form.isSaving}
          >
            Remove
          </Button>
        )
      }
      onClose={onClose}
    >
      <InputField label="Label" dir="auto" maxLength={maxLength} {...form.text("label")} />
    </FormDialog>
  );
}
