"use client";

import { Switch as RadixSwitch, ToggleGroup } from "radix-ui";
import { type ReactNode, useId } from "react";

export interface SwitchProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  id: string;
  disabled?: boolean;
  describedBy?: string;
}

export function Switch({ checked, onChange, id, disabled = false, describedBy }: SwitchProps) {
  return (
    <RadixSwitch.Root
      checked={checked}
      onCheckedChange={onChange}
      disabled={disabled}
      id={id}
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
  options: readonly { value: Value; label: ReactNode }[];
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
          className="h-7 pointer-coarse:h-10 min-w-fit flex-1 whitespace-nowrap rounded-sm px-2 font-medium text-muted text-xs transition-colors hover:text-ink disabled:opacity-45 data-[state=on]:bg-raised data-[state=on]:text-ink data-[state=on]:shadow-raised"
        >
          {option.label}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  );
}

interface SwitchLineProps {
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
