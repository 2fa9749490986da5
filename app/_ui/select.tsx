"use client";

import { Check, ChevronDown } from "lucide-react";
import { Select as RadixSelect } from "radix-ui";
import { type ReactNode, useState } from "react";
import { classNames } from "./class-names";
import { type FieldLabelProps, fieldLook, Labelled, splitLabel } from "./fields";
import { useBackCloses } from "./use-back-closes";
import { besideQuery, useMediaQuery } from "./use-media-query";

interface SelectOption<Value extends string> {
  value: Value;
  label: ReactNode;
  note?: ReactNode;
  disabled?: boolean;
}

export interface SelectProps<Value extends string> {
  value: Value | null;
  onChange: (value: Value) => void;
  options: readonly SelectOption<Value>[];
  label?: string;
  placeholder?: string;
  id?: string;
  disabled?: boolean;
  className?: string;
  "aria-describedby"?: string | undefined;
  "aria-invalid"?: true | undefined;
}

export function Select<Value extends string>({
  value,
  onChange,
  options,
  label,
  placeholder,
  id,
  disabled = false,
  className,
  ...described
}: SelectProps<Value>) {
  const [isOpen, setIsOpen] = useState(false);
  const isPhone = !useMediaQuery(besideQuery);
  useBackCloses(isOpen && isPhone, () => setIsOpen(false));
  return (
    <RadixSelect.Root
      value={value ?? ""}
      onValueChange={(next) => onChange(next as Value)}
      disabled={disabled}
      open={isOpen}
      onOpenChange={setIsOpen}
    >
      <RadixSelect.Trigger
        {...(id ? { id } : {})}
        {...(label ? { "aria-label": label } : {})}
        {...described}
        className={classNames(
          fieldLook,
          "flex h-9 items-center gap-2 px-3 text-left text-sm data-[placeholder]:text-faint",
          className,
        )}
      >
        <span className="min-w-0 flex-1 truncate">
          <RadixSelect.Value placeholder={placeholder} />
        </span>
        <ChevronDown aria-hidden className="size-4 shrink-0 text-faint" />
      </RadixSelect.Trigger>
      <RadixSelect.Portal>
        <RadixSelect.Content
          position="popper"
          sideOffset={4}
          collisionPadding={8}
          className="z-50 max-h-(--radix-select-content-available-height) min-w-(--radix-select-trigger-width) max-w-[min(30rem,calc(100vw-1rem))] animate-pop overflow-hidden rounded-lg border border-line bg-raised p-1 shadow-float"
        >
          <RadixSelect.Viewport>
            {options.map((option) => (
              <RadixSelect.Item
                key={option.value}
                value={option.value}
                disabled={option.disabled ?? false}
                className="flex min-h-8 pointer-coarse:min-h-11 cursor-pointer select-none items-center gap-3 rounded-md px-2.5 py-1 text-sm outline-none data-[disabled]:pointer-events-none data-[highlighted]:bg-hover data-[disabled]:opacity-45"
              >
                <span className="min-w-0 flex-1">
                  <RadixSelect.ItemText>{option.label}</RadixSelect.ItemText>
                  {option.note && <span className="block text-faint text-xs">{option.note}</span>}
                </span>
                <RadixSelect.ItemIndicator>
                  <Check aria-hidden className="size-4 text-accent" />
                </RadixSelect.ItemIndicator>
              </RadixSelect.Item>
            ))}
          </RadixSelect.Viewport>
        </RadixSelect.Content>
      </RadixSelect.Portal>
    </RadixSelect.Root>
  );
}

export function SelectField<Value extends string>(
  props: FieldLabelProps & Omit<SelectProps<Value>, "id" | "label">,
) {
  const [label, select] = splitLabel(props);
  return <Labelled {...label}>{(field) => <Select {...field} {...select} />}</Labelled>;
}
