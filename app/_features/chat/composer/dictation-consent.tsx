"use client";

import { Button } from "@/app/_ui/button";
import { Dialog } from "@/app/_ui/dialog";

export interface ConsentDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onAllow: () => void;
  readonly onClosed: (event: Event) => void;
}

export function ConsentDialog({ isOpen, onClose, onAllow, onClosed }: ConsentDialogProps) {
  return (
    <Dialog
      open={isOpen}
      onClose={onClose}
      onCloseAutoFocus={onClosed}
      title="Dictate with your browser?"
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            Cancel
          </Button>
          <Button variant="primary" onClick={onAllow}>
            Dictate
          </Button>
        </>
      }
    >
      <p className="text-muted text-sm">
        Your browser turns speech into text. It may send what you say to its maker, such as Google,
        Microsoft or Apple. Grove gets only the text, and sends nothing until you do. This is asked
        once on this device.
      </p>
    </Dialog>
  );
}
