"use client";

import { useId } from "react";
import { Switch } from "./toggles";

export interface SwitchLineProps {
  readonly label: string;
  readonly note: string;
  readonly checked: boolean;
  readonly disabled?: boolean;
  readonly onChange: (checked: boolean) => void;
}

export function SwitchLine({ label, note, checked, disabled = false, onChange }: SwitchLineProps) {
  const id = useId();
  return (
    <div className="flex items-center gap-4">
      <div className="min-w-0 flex-1">
        <label htmlFor={id} className="font-medium text-sm">
          {label}
        </label>
        <p id={`${id}-note`} className="text-faint text-xs">
          {note}
        </p>
      </div>
      <Switch
        id={id}
        describedBy={`${id}-note`}
        checked={checked}
        disabled={disabled}
        onChange={onChange}
      />
    </div>
  );
}
