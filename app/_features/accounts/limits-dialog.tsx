"use client";

import { type FormEvent, useId, useState } from "react";
import { Button } from "@/app/_ui/button";
import { Dialog } from "@/app/_ui/dialog";
import { InputField } from "@/app/_ui/fields";
import { SwitchLine } from "@/app/_ui/switch-line";
import type { LimitsWire } from "@/lib/chat/wire/accounts";

export interface LimitsDialogProps {
  /** `null`: everyone. */
  readonly name: string | null;
  readonly limits: LimitsWire | null;
  readonly busy: boolean;
  readonly onSave: (limits: LimitsWire | null) => void;
  readonly onClose: () => void;
}

export function LimitsDialog({ name, limits, busy, onSave, onClose }: LimitsDialogProps) {
  const formId = useId();
  const [isLimited, setIsLimited] = useState(limits !== null);
  const [dollars, setDollars] = useState(textOf(limits?.monthlyDollars));
  const [messages, setMessages] = useState(textOf(limits?.messagesPerDay));
  const [megabytes, setMegabytes] = useState(textOf(limits?.storedMegabytes));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const given = {
      monthlyDollars: numberOf(dollars),
      messagesPerDay: numberOf(messages),
      storedMegabytes: numberOf(megabytes),
    };
    onSave(isLimited ? given : null);
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={name === null ? "Limits for everyone" : `Limits for ${name}`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form={formId} busy={busy}>
            Save
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} className="flex flex-col gap-4">
        <SwitchLine
          label={name === null ? "Limit what people use" : "Own limits"}
          note={
            name === null
              ? "For everyone who has no limits of their own."
              : "Instead of those for everyone."
          }
          checked={isLimited}
          onChange={setIsLimited}
        />
        {isLimited && (
          <>
            <InputField
              label="Dollars a month"
              optional
              type="number"
              min={0}
              max={1_000_000}
              step="0.01"
              hint="All models and keys count, also a person's own. A model without a known price counts at a default where this Grove pays for it."
              value={dollars}
              onChange={(event) => setDollars(event.target.value)}
            />
            <InputField
              label="Messages a day"
              optional
              type="number"
              min={0}
              max={1_000_000}
              step="1"
              hint="Months and days are those of UTC. An answer that has begun is finished."
              value={messages}
              onChange={(event) => setMessages(event.target.value)}
            />
            <InputField
              label="Megabytes of files"
              optional
              type="number"
              min={0}
              max={100_000_000}
              step="1"
              hint="Each file counts once. Files that are stored already stay, and text is never refused."
              value={megabytes}
              onChange={(event) => setMegabytes(event.target.value)}
            />
          </>
        )}
      </form>
    </Dialog>
  );
}

function textOf(value: number | null | undefined): string {
  return value === null || value === undefined ? "" : String(value);
}

function numberOf(text: string): number | null {
  return text.trim() === "" ? null : Number(text);
}
