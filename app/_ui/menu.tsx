"use client";

import { Slot } from "radix-ui";
import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from "react";
import {
  type MenuCheckProps,
  type MenuChoiceProps,
  type MenuItemProps,
  type MenuLabelProps,
  useMenuParts,
} from "./menu-context";
import { preloadable } from "./preloadable";
import { toastFailure } from "./toast";

// An idle page loads the menu, so that it opens while the server is away.
const panel = preloadable(() => import("./menu-parts").then((part) => part.MenuPanel));

export const provideMenus = panel.provide;

export interface MenuProps {
  trigger: ReactNode;
  align?: "start" | "center" | "end";
  side?: "top" | "bottom" | "left" | "right";
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  onCloseAutoFocus?: (event: Event) => void;
  children: ReactNode;
}

const openingKeys = ["Enter", " ", "ArrowDown"];

export function Menu({
  trigger,
  align = "end",
  side = "bottom",
  open,
  onOpenChange,
  onCloseAutoFocus,
  children,
}: MenuProps) {
  const anchor = useRef<HTMLElement>(null);
  const [isOpenHere, setIsOpenHere] = useState(false);
  const [isByKeyboard, setIsByKeyboard] = useState(false);
  const isOpen = open ?? isOpenHere;

  function change(next: boolean) {
    setIsOpenHere(next);
    onOpenChange?.(next);
  }

  async function toggle(byKeyboard: boolean) {
    if (isOpen) return change(false);
    setIsByKeyboard(byKeyboard);
    if (!panel.isLoaded()) await panel.preload();
    if (panel.isLoaded()) change(true);
    else toastFailure("This menu could not be loaded. Reload the page once Grove can be reached.");
  }

  function onPointerDown(event: PointerEvent) {
    if (event.button !== 0 || event.ctrlKey) return;
    // The button would take the focus from the menu.
    if (!isOpen) event.preventDefault();
    void toggle(false);
  }

  function onKeyDown(event: KeyboardEvent) {
    if (!openingKeys.includes(event.key)) return;
    event.preventDefault();
    if (event.key !== "ArrowDown" || !isOpen) void toggle(true);
  }

  return (
    <>
      <Slot.Root
        ref={anchor}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        data-state={isOpen ? "open" : "closed"}
        onPointerEnter={panel.preload}
        onFocus={panel.preload}
        onPointerDown={onPointerDown}
        onKeyDown={onKeyDown}
      >
        {trigger}
      </Slot.Root>
      {isOpen && (
        <panel.Component
          anchor={anchor}
          align={align}
          side={side}
          isByKeyboard={isByKeyboard}
          onClose={() => change(false)}
          onCloseAutoFocus={onCloseAutoFocus}
        >
          {children}
        </panel.Component>
      )}
    </>
  );
}

export function MenuItem(props: MenuItemProps) {
  const { Item } = useMenuParts();
  return <Item {...props} />;
}

export function MenuChoice<Value extends string>(props: MenuChoiceProps<Value>) {
  const { Choice } = useMenuParts();
  return <Choice {...props} />;
}

export function MenuCheck(props: MenuCheckProps) {
  const { Check } = useMenuParts();
  return <Check {...props} />;
}

export function MenuLabel(props: MenuLabelProps) {
  const { Label } = useMenuParts();
  return <Label {...props} />;
}

export function MenuSeparator() {
  const { Separator } = useMenuParts();
  return <Separator />;
}
