"use client";

import { Switch as RadixSwitch, ToggleGroup } from "radix-ui";
import type { ReactNode } from "react";

export interface SwitchProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  /** The accessible name, unless a visible label points at `id`. */
  label?: string;
  id?: string;
  disabled?: boolean;
  describedBy?: string;
}

/** Takes effect at once. */
export function Switch({
  checked,
  onChange,
  label,
  id,
  disabled = false,
  describedBy,
}: SwitchProps) {
  return (
    <RadixSwitch.Root
      checked={checked}
      onCheckedChange={onChange}
      disabled={disabled}
      {...(id ? { id } : {})}
      {...(label ? { "aria-label": label } : {})}
      {...(describedBy ? { "aria-describedby": describedBy } : {})}
      className="relative h-5.5 w-9.5 shrink-0 rounded-full bg-edge transition-colors duration-steady disabled:opacity-50 data-[state=checked]:bg-accent"
    >
      <RadixSwitch.Thumb className="block size-4.5 translate-x-0.5 rounded-full bg-raised shadow-raised transition-transform duration-steady data-[state=checked]:translate-x-4.5" />
    </RadixSwitch.Root>
  );
}

export interface SegmentedProps<Value extends string> {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  options: readonly { value: Value; label: ReactNode; disabled?: boolean }[];
}

export function Segmented<Value extends string>({
  label,
  value,
  onChange,
  options,
}: SegmentedProps<Value>) {
  return (
    <ToggleGroup.Root
      type="single"
      aria-label={label}
      value={value}
      onValueChange={(next) => {
        if (next) onChange(next as Value);
      }}
      className="flex rounded-md bg-sunken p-0.5"
    >
      {options.map((option) => (
        <ToggleGroup.Item
          key={option.value}
          value={option.value}
          disabled={option.disabled ?? false}
          className="h-7 pointer-coarse:h-10 min-w-fit flex-1 whitespace-nowrap rounded-sm px-2 font-medium text-muted text-xs transition-colors hover:text-ink disabled:opacity-45 data-[state=on]:bg-raised data-[state=on]:text-ink data-[state=on]:shadow-raised"
        >
          {option.label}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  );
}
