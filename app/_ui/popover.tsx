"use client";

import { Popover as RadixPopover } from "radix-ui";
import type { ReactNode } from "react";
import { classNames } from "./class-names";

export interface PopoverProps {
  trigger: ReactNode;
  label: string;
  align?: "start" | "center" | "end";
  side?: "top" | "bottom" | "left" | "right";
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  className?: string;
  children: ReactNode;
}

/** For content that is read or edited rather than chosen from. */
export function Popover({
  trigger,
  label,
  align = "start",
  side = "bottom",
  open,
  onOpenChange,
  className,
  children,
}: PopoverProps) {
  return (
    <RadixPopover.Root
      {...(open === undefined ? {} : { open })}
      {...(onOpenChange ? { onOpenChange } : {})}
    >
      <RadixPopover.Trigger asChild>{trigger}</RadixPopover.Trigger>
      <RadixPopover.Portal>
        <RadixPopover.Content
          aria-label={label}
          align={align}
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className={classNames(
            "z-50 max-h-(--radix-popover-content-available-height) w-80 max-w-[calc(100vw-1rem)] animate-pop overflow-y-auto rounded-lg border border-line bg-raised p-4 shadow-float outline-none",
            className,
          )}
        >
          {children}
        </RadixPopover.Content>
      </RadixPopover.Portal>
    </RadixPopover.Root>
  );
}
