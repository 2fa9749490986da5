"use client";

import { type ReactNode, useId } from "react";

export interface LabelledProps {
  label: string;
  hint?: ReactNode;
  /** A sentence that replaces the hint. */
  error?: string | null;
  optional?: boolean;
  /** Its ids tie the field to its label and notes. */
  children: (field: {
    id: string;
    "aria-describedby": string | undefined;
    "aria-invalid": true | undefined;
  }) => ReactNode;
}

export function Labelled({ label, hint, error, optional = false, children }: LabelledProps) {
  const id = useId();
  const note = error ?? hint;
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="font-medium text-ink text-sm">
        {label}
        {optional && <span className="font-normal text-faint"> · optional</span>}
      </label>
      {children({
        id,
        "aria-describedby": note ? `${id}-note` : undefined,
        "aria-invalid": error ? true : undefined,
      })}
      {note && (
        <p
          id={`${id}-note`}
          role={error ? "alert" : undefined}
          className={error ? "text-danger text-xs" : "text-faint text-xs"}
        >
          {note}
        </p>
      )}
    </div>
  );
}
