"use client";

import { Switch as RadixSwitch } from "radix-ui";

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
