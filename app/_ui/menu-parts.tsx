"use client";

import { Check as CheckMark } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import {
  type ReactNode,
  type Ref,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useRef,
} from "react";
import { classNames } from "./class-names";
import { Kbd } from "./kbd";
import {
  type MenuCheckProps,
  type MenuChoiceProps,
  type MenuItemProps,
  type MenuParts,
  MenuPartsContext,
} from "./menu-context";
import { useBackCloses } from "./use-back-closes";
import { besideQuery, useMediaQuery } from "./use-media-query";
import { noteMenuButton } from "./use-return-focus";

const panelLook =
  "z-50 min-w-48 max-w-80 animate-pop overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-float " +
  "max-h-(--radix-dropdown-menu-content-available-height) origin-(--radix-dropdown-menu-content-transform-origin)";

const itemLook =
  "flex min-h-8 cursor-pointer select-none items-center gap-2.5 rounded-md px-2.5 py-1 text-sm outline-none " +
  "data-[highlighted]:bg-hover pointer-coarse:min-h-11 [&_svg]:size-4 [&_svg]:shrink-0";

export interface MenuPanelProps {
  readonly anchor: RefObject<HTMLElement | null>;
  readonly align: "start" | "center" | "end";
  readonly side: "top" | "bottom" | "left" | "right";
  readonly isByKeyboard: boolean;
  readonly onClose: () => void;
  readonly onCloseAutoFocus: ((event: Event) => void) | undefined;
  readonly children: ReactNode;
}

export function MenuPanel(props: MenuPanelProps) {
  const { anchor, align, side, isByKeyboard, onClose, onCloseAutoFocus, children } = props;
  const isLeft = useRef(false);
  const isPhone = !useMediaQuery(besideQuery);
  useBackCloses(isPhone, onClose);
  useEffect(() => noteMenuButton(anchor.current), [anchor]);

  function giveBack(event: Event) {
    onCloseAutoFocus?.(event);
    if (event.defaultPrevented) return;
    event.preventDefault();
    // An item may have moved the focus, as into the composer.
    const { activeElement, body } = document;
    if (!isLeft.current && (activeElement === null || activeElement === body))
      anchor.current?.focus();
  }

  return (
    <DropdownMenu.Root modal={false} open onOpenChange={onClose}>
      <DropdownMenu.Trigger asChild>
        <StandIn anchor={anchor} />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align={align}
          side={side}
          sideOffset={4}
          collisionPadding={8}
          aria-labelledby={undefined}
          aria-label={anchor.current?.ariaLabel ?? anchor.current?.textContent ?? ""}
          className={panelLook}
          onInteractOutside={() => {
            isLeft.current = true;
          }}
          onCloseAutoFocus={giveBack}
        >
          <MenuPartsContext value={parts}>
            {isByKeyboard && <FirstItemFocus />}
            {children}
          </MenuPartsContext>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

function StandIn({
  anchor,
  ref,
}: Pick<MenuPanelProps, "anchor"> & { readonly ref?: Ref<HTMLElement | null> }) {
  useImperativeHandle<HTMLElement | null, HTMLElement | null>(ref, () => anchor.current);
  return null;
}

function FirstItemFocus() {
  const place = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const menu = place.current?.closest("[role=menu]");
    menu?.querySelector<HTMLElement>("[role^=menuitem]")?.focus();
  }, []);
  return <span ref={place} hidden />;
}

function Item({ icon, note, shortcut, danger = false, onSelect, children }: MenuItemProps) {
  return (
    <DropdownMenu.Item
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

function Choice<Value extends string>({ label, value, onChange, options }: MenuChoiceProps<Value>) {
  return (
    <DropdownMenu.RadioGroup
      aria-label={label}
      value={value}
      onValueChange={(next) => onChange(next as Value)}
    >
      {options.map((option) => (
        <DropdownMenu.RadioItem key={option.value} value={option.value} className={itemLook}>
          <span className="min-w-0 flex-1 truncate">{option.label}</span>
          <DropdownMenu.ItemIndicator>
            <CheckMark aria-hidden className="text-accent" />
          </DropdownMenu.ItemIndicator>
        </DropdownMenu.RadioItem>
      ))}
    </DropdownMenu.RadioGroup>
  );
}

function Check({ icon, checked, onChange, children }: MenuCheckProps) {
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
        <CheckMark aria-hidden className="text-accent" />
      </DropdownMenu.ItemIndicator>
    </DropdownMenu.CheckboxItem>
  );
}

function Label({ children }: { children: ReactNode }) {
  return (
    <DropdownMenu.Label className="px-2.5 pt-2 pb-1 font-medium text-faint text-xs">
      {children}
    </DropdownMenu.Label>
  );
}

function Separator() {
  return <DropdownMenu.Separator className="-mx-1 my-1 h-px bg-line" />;
}

const parts: MenuParts = { Item, Choice, Check, Label, Separator };
