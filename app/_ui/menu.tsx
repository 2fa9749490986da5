"use client";

import { Check } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import type { ReactNode } from "react";
import { classNames } from "./class-names";
import { Kbd } from "./kbd";

const panelLook =
  "z-50 min-w-48 max-w-80 animate-pop overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-float " +
  "max-h-(--radix-dropdown-menu-content-available-height) origin-(--radix-dropdown-menu-content-transform-origin)";

const itemLook =
  "flex min-h-8 cursor-pointer select-none items-center gap-2.5 rounded-md px-2.5 py-1 text-sm outline-none " +
  "data-[highlighted]:bg-hover data-[disabled]:pointer-events-none data-[disabled]:opacity-45 " +
  "pointer-coarse:min-h-11 [&_svg]:size-4 [&_svg]:shrink-0";

export interface MenuProps {
  trigger: ReactNode;
  align?: "start" | "center" | "end";
  side?: "top" | "bottom" | "left" | "right";
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  /** `preventDefault` lets an item put the focus elsewhere. */
  onCloseAutoFocus?: (event: Event) => void;
  children: ReactNode;
}

/** A letter jumps, Escape returns to the button. */
export function Menu({
  trigger,
  align = "end",
  side = "bottom",
  open,
  onOpenChange,
  onCloseAutoFocus,
  children,
}: MenuProps) {
  return (
    <DropdownMenu.Root
      modal={false}
      {...(open === undefined ? {} : { open })}
      {...(onOpenChange ? { onOpenChange } : {})}
    >
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align={align}
          side={side}
          sideOffset={4}
          collisionPadding={8}
          className={panelLook}
          {...(onCloseAutoFocus ? { onCloseAutoFocus } : {})}
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

export interface MenuItemProps {
  icon?: ReactNode;
  note?: ReactNode;
  shortcut?: readonly string[];
  danger?: boolean;
  disabled?: boolean;
  onSelect: () => void;
  children: ReactNode;
}

export function MenuItem({
  icon,
  note,
  shortcut,
  danger = false,
  disabled = false,
  onSelect,
  children,
}: MenuItemProps) {
  return (
    <DropdownMenu.Item
      disabled={disabled}
      onSelect={onSelect}
      className={classNames(itemLook, danger && "text-danger")}
    >
      {icon && <span className={danger ? "" : "text-faint"}>{icon}</span>}
      <span className="min-w-0 flex-1">
        <span className="block truncate">{children}</span>
        {note && <span className="block truncate text-faint text-xs">{note}</span>}
      </span>
      {shortcut && <Kbd keys={shortcut} />}
    </DropdownMenu.Item>
  );
}

export interface MenuChoiceProps<Value extends string> {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  options: readonly { value: Value; label: ReactNode; note?: ReactNode; disabled?: boolean }[];
}

export function MenuChoice<Value extends string>({
  label,
  value,
  onChange,
  options,
}: MenuChoiceProps<Value>) {
  return (
    <DropdownMenu.RadioGroup
      aria-label={label}
      value={value}
      onValueChange={(next) => onChange(next as Value)}
    >
      {options.map((option) => (
        <DropdownMenu.RadioItem
          key={option.value}
          value={option.value}
          disabled={option.disabled ?? false}
          className={itemLook}
        >
          <span className="min-w-0 flex-1">
            <span className="block truncate">{option.label}</span>
            {option.note && (
              <span className="block truncate text-faint text-xs">{option.note}</span>
            )}
          </span>
          <DropdownMenu.ItemIndicator>
            <Check aria-hidden className="text-accent" />
          </DropdownMenu.ItemIndicator>
        </DropdownMenu.RadioItem>
      ))}
    </DropdownMenu.RadioGroup>
  );
}

export interface MenuCheckProps {
  icon?: ReactNode;
  checked: boolean;
  onChange: (checked: boolean) => void;
  children: ReactNode;
}

/** Choosing it leaves the menu open. */
export function MenuCheck({ icon, checked, onChange, children }: MenuCheckProps) {
  return (
    <DropdownMenu.CheckboxItem
      checked={checked}
      onCheckedChange={onChange}
      onSelect={(event) => event.preventDefault()}
      className={itemLook}
    >
      {icon && <span className="text-faint">{icon}</span>}
      <span className="min-w-0 flex-1 truncate">{children}</span>
      <DropdownMenu.ItemIndicator>
        <Check aria-hidden className="text-accent" />
      </DropdownMenu.ItemIndicator>
    </DropdownMenu.CheckboxItem>
  );
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return (
    <DropdownMenu.Label className="px-2.5 pt-2 pb-1 font-medium text-faint text-xs">
      {children}
    </DropdownMenu.Label>
  );
}

export function MenuSeparator() {
  return <DropdownMenu.Separator className="-mx-1 my-1 h-px bg-line" />;
}
