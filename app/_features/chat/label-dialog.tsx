"use client";

import { useState } from "react";
import { errorSentence } from "@/app/_api/api-error";
import { useLabelMessage } from "@/app/_data/chat/use-messages";
import { Button } from "@/app/_ui/button";
import { Dialog } from "@/app/_ui/dialog";
import { InputField } from "@/app/_ui/fields";

const maxLength = 80;

export interface LabelDialogProps {
  readonly sessionId: string;
  readonly messageId: string;
  readonly label: string | null;
  readonly onLabelled: (messageId: string, label: string | null) => void;
  readonly onClose: () => void;
}

export function LabelDialog({
  sessionId,
  messageId,
  label,
  onLabelled,
  onClose,
}: LabelDialogProps) {
  const labelling = useLabelMessage(sessionId);
  const [text, setText] = useState(label ?? "");

  function save(next: string | null) {
    if (next === label) return onClose();
    labelling.mutate(
      { messageId, label: next },
      {
        onSuccess: (entry) => {
          onLabelled(messageId, entry.label);
          onClose();
        },
      },
    );
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Label this message"
      description="Shown here and in the tree. The model doesn't see it."
      footer={
        <>
          {label !== null && (
            <Button className="mr-auto" onClick={() => save(null)} disabled={labelling.isPending}>
              Remove
            </Button>
          )}
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            onClick={() => save(text.trim() || null)}
            busy={labelling.isPending}
          >
            Save
          </Button>
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save(text.trim() || null);
        }}
      >
        <InputField
          label="Label"
          error={labelling.isError ? errorSentence(labelling.error) : null}
          dir="auto"
          maxLength={maxLength}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </form>
    </Dialog>
  );
}
