"use client";

import { Tooltip as RadixTooltip } from "radix-ui";
import type { ReactNode } from "react";
import { Kbd } from "./kbd";

export interface TooltipProps {
  label: ReactNode;
  shortcut?: readonly string[];
  side?: "top" | "bottom" | "left" | "right";
  children: ReactNode;
}

/** Repeats or shortens a label; never holds the only copy of something. */
export function Tooltip({ label, shortcut, side = "bottom", children }: TooltipProps) {
  return (
    <RadixTooltip.Root>
      <RadixTooltip.Trigger asChild>{children}</RadixTooltip.Trigger>
      <RadixTooltip.Portal>
        <RadixTooltip.Content
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="z-50 flex max-w-72 animate-appear items-center gap-2 rounded-md bg-ink px-2.5 py-1.5 font-medium text-paper text-xs shadow-float"
        >
          {label}
          {shortcut && <Kbd keys={shortcut} tone="inverse" />}
        </RadixTooltip.Content>
      </RadixTooltip.Portal>
    </RadixTooltip.Root>
  );
}
