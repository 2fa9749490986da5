"use client";

import { FormDialog } from "@/app/_data/forms/form-dialog";
import { useForm } from "@/app/_data/forms/use-form";
import { InputField } from "@/app/_ui/fields";
import { SwitchLine } from "@/app/_ui/toggles";
import type { LimitsWire } from "@/lib/chat/wire/accounts";

const limitFields = [
  {
    field: "monthlyDollars",
    label: "Dollars a month",
    max: 1_000_000,
    step: "0.01",
    hint: "All models and keys count, also a person's own. A model without a known price counts at a default where this Grove pays for it.",
  },
  {
    field: "messagesPerDay",
    label: "Messages a day",
    max: 1_000_000,
    step: "1",
    hint: "Months and days are those of UTC. An answer that has begun is finished.",
  },
  {
    field: "storedMegabytes",
    label: "Megabytes of files",
    max: 100_000_000,
    step: "1",
    hint: "Each file counts once. Files that are stored already stay, and text is never refused.",
  },
] as const;

export interface LimitsDialogProps {
  readonly name: string | null;
  readonly limits: LimitsWire | null;
  readonly save: (limits: LimitsWire | null) => Promise<unknown>;
  readonly onClose: () => void;
}

export function LimitsDialog({ name, limits, save, onClose }: LimitsDialogProps) {
  const form = useForm({
    initial: {
      isLimited: limits !== null,
      monthlyDollars: textOf(limits?.monthlyDollars),
      messagesPerDay: textOf(limits?.messagesPerDay),
      storedMegabytes: textOf(limits?.storedMegabytes),
    },
    save: ({ isLimited, monthlyDollars, messagesPerDay, storedMegabytes }) =>
      save(
        isLimited
          ? {
              monthlyDollars: numberOf(monthlyDollars),
              messagesPerDay: numberOf(messagesPerDay),
              storedMegabytes: numberOf(storedMegabytes),
            }
          : null,
      ),
    onSaved: onClose,
  });
  return (
    <FormDialog
      form={form}
      title={name === null ? "Limits for everyone" : `Limits for ${name}`}
      saveLabel="Save"
      onClose={onClose}
    >
      <SwitchLine
        label={name === null ? "Limit what people use" : "Own limits"}
        note={
          name === null
            ? "For everyone who has no limits of their own."
            : "Instead of those for everyone."
        }
        checked={form.values.isLimited}
        onChange={(isLimited) => form.change({ isLimited })}
      />
      {form.values.isLimited &&
        limitFields.map(({ field, ...shown }) => (
          <InputField key={field} optional type="number" min={0} {...shown} {...form.text(field)} />
        ))}
    </FormDialog>
  );
}

function textOf(value: number | null | undefined): string {
  return value === null || value === undefined ? "" : String(value);
}

function numberOf(text: string): number | null {
  return text.trim() === "" ? null : Number(text);
}
