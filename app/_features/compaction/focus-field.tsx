"use client";

import { Labelled } from "@/app/_ui/labelled";
import { Textarea } from "@/app/_ui/textarea";

export interface FocusFieldProps {
  value: string;
  onChange: (focus: string) => void;
  /** For when it was opened on request. */
  autoFocus?: boolean;
}

export function FocusField({ value, onChange, autoFocus = false }: FocusFieldProps) {
  return (
    <Labelled
      label="What should the summary focus on?"
      optional
      hint="Names, decisions, open questions, exact quotes"
    >
      {(field) => (
        <Textarea
          {...field}
          rows={2}
          maxRows={5}
          maxLength={500}
          autoFocus={autoFocus}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Labelled>
  );
}
