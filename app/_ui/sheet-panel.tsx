"use client";

import { Dialog as RadixDialog } from "radix-ui";
import type { ReactNode } from "react";
import { classNames } from "./class-names";
import { keepOpenForToast } from "./dialog";
import { useReturnFocus } from "./use-return-focus";

const sides = {
  left: "left-0 w-[min(20rem,86vw)] animate-slide-left data-[state=closed]:animate-slide-away-left",
  right:
    "right-0 w-full animate-slide-right data-[state=closed]:animate-slide-away-right sm:w-[min(26rem,92vw)]",
  wide: "right-0 w-full animate-slide-right data-[state=closed]:animate-slide-away-right sm:w-[min(48rem,92vw)]",
} as const;

export interface SheetProps {
  open: boolean;
  onClose: () => void;
  label: string;
  side: keyof typeof sides;
  children: ReactNode;
}

export function SheetPanel({ open, onClose, label, side, children }: SheetProps) {
  const returnFocus = useReturnFocus();
  return (
    <RadixDialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className="fixed inset-0 z-40 animate-appear bg-scrim data-[state=closed]:animate-vanish" />
        <RadixDialog.Content
          aria-describedby={undefined}
          onCloseAutoFocus={returnFocus.onCloseAutoFocus}
          onOpenAutoFocus={(event) => {
            returnFocus.onOpenAutoFocus();
            // Focusing the first button instead of the panel would show a tooltip on touch screens.
            event.preventDefault();
            if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus();
          }}
          onInteractOutside={keepOpenForToast}
          className={classNames(
            "fixed inset-y-0 z-40 bg-paper shadow-dialog outline-none",
            sides[side],
          )}
        >
          <RadixDialog.Title className="sr-only">{label}</RadixDialog.Title>
          {children}
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}
