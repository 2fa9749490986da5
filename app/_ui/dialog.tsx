"use client";

import { X } from "lucide-react";
import { Dialog as RadixDialog } from "radix-ui";
import type { ReactNode } from "react";
import { Button, IconButton } from "./button";
import { classNames } from "./class-names";
import { useBackCloses } from "./use-back-closes";
import { touchQuery, useMediaQuery, wideQuery } from "./use-media-query";
import { useReturnFocus } from "./use-return-focus";

const widths = {
  sm: "sm:max-w-md",
  md: "sm:max-w-xl",
  lg: "sm:max-w-3xl",
  xl: "sm:max-w-6xl",
} as const;

export interface DialogProps {
  open?: boolean;
  onClose: () => void;
  title: string;
  description?: ReactNode;
  width?: keyof typeof widths;
  footer?: ReactNode;
  children?: ReactNode;
  closesOutside?: boolean;
  /** Nothing inside takes the focus, so that keys must scroll it. */
  isText?: boolean;
  onCloseAutoFocus?: (event: Event) => void;
}

export function Dialog({
  open = true,
  onClose,
  title,
  description,
  width = "sm",
  footer,
  children,
  closesOutside = true,
  isText = false,
  onCloseAutoFocus,
}: DialogProps) {
  const returnFocus = useReturnFocus();
  const isWide = useMediaQuery(wideQuery);
  useBackCloses(open && !isWide, onClose);
  return (
    <RadixDialog.Root open={open} onOpenChange={() => onClose()}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className="fixed inset-0 z-40 animate-appear bg-scrim data-[state=closed]:animate-vanish" />
        <RadixDialog.Content
          {...(description ? {} : { "aria-describedby": undefined })}
          onOpenAutoFocus={(event) => {
            returnFocus.onOpenAutoFocus();
            focusFirstField(event);
          }}
          onCloseAutoFocus={(event) => {
            onCloseAutoFocus?.(event);
            returnFocus.onCloseAutoFocus(event);
          }}
          onInteractOutside={closesOutside ? keepOpenForToast : keepOpen}
          className={classNames(
            "fixed z-40 flex max-h-[85dvh] flex-col bg-raised shadow-dialog outline-none data-[state=closed]:animate-vanish",
            "inset-x-0 bottom-0 animate-rise rounded-t-2xl pb-[env(safe-area-inset-bottom)]",
            "sm:inset-x-auto sm:top-1/2 sm:bottom-auto sm:left-1/2 sm:w-[calc(100vw-3rem)] sm:-translate-x-1/2 sm:-translate-y-1/2 sm:rounded-xl sm:pb-0",
            widths[width],
          )}
        >
          <header className="flex items-start gap-4 px-5 pt-5 pb-3 sm:px-6">
            <div className="min-w-0 flex-1">
              <RadixDialog.Title className="wrap-anywhere font-semibold text-lg tracking-tight">
                {title}
              </RadixDialog.Title>
              {description && (
                <RadixDialog.Description className="wrap-anywhere mt-1 text-muted text-sm">
                  {description}
                </RadixDialog.Description>
              )}
            </div>
            <RadixDialog.Close asChild>
              <IconButton label="Close" tooltip="none" className="-mt-1 -mr-2">
                <X aria-hidden />
              </IconButton>
            </RadixDialog.Close>
          </header>
          {children && (
            <div
              {...(isText && { tabIndex: 0 })}
              className="min-h-0 flex-1 overflow-y-auto px-5 pt-1 pb-5 sm:px-6"
            >
              {children}
            </div>
          )}
          {footer && (
            <footer className="flex flex-wrap justify-end gap-2 border-line border-t px-5 py-3.5 sm:px-6">
              {footer}
            </footer>
          )}
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

function keepOpen(event: Event): void {
  event.preventDefault();
}

/** A toast lies above, and its Undo belongs to what is open. */
export function keepOpenForToast(event: Event): void {
  if (event.target instanceof Element && event.target.closest("[data-sonner-toaster]"))
    event.preventDefault();
}

/** Focuses the dialog itself where a field would raise a phone's keyboard, or comes after other choices. */
function focusFirstField(event: Event): void {
  const dialog = event.target;
  if (!(dialog instanceof HTMLElement) || dialog.contains(document.activeElement)) return;
  const first = dialog.querySelector<HTMLElement>(
    "input:not([type=hidden]), textarea, [role=switch]",
  );
  const field = first?.matches("[role=switch]") ? null : first;
  const isTouched = window.matchMedia(touchQuery).matches;
  event.preventDefault();
  (field && !isTouched ? field : dialog).focus();
}

export interface ConfirmDialogProps
  extends Pick<DialogProps, "open" | "onClose" | "title" | "children"> {
  confirmLabel: string;
  onConfirm: () => void;
  busy?: boolean;
}

/** Irreversible actions alone ask; others offer Undo. */
export function ConfirmDialog({
  children,
  confirmLabel,
  onConfirm,
  busy = false,
  ...dialog
}: ConfirmDialogProps) {
  return (
    <Dialog
      {...dialog}
      footer={
        <>
          <Button onClick={dialog.onClose}>Cancel</Button>
          <Button variant="danger" onClick={onConfirm} busy={busy}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      <div className="text-muted text-sm">{children}</div>
    </Dialog>
  );
}
