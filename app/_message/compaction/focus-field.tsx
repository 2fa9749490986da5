"use client";

import { TextareaField } from "@/app/_ui/fields";

export interface FocusFieldProps {
  value: string;
  onChange: (focus: string) => void;
  autoFocus?: boolean;
}

export function FocusField({ value, onChange, autoFocus = false }: FocusFieldProps) {
  return (
    <TextareaField
      label="What should the summary focus on?"
      optional
      hint="Names, decisions, open questions, exact quotes"
      rows={2}
      maxRows={5}
      maxLength={500}
      autoFocus={autoFocus}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
