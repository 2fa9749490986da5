"use client";

import { useRef } from "react";

let menuButton: HTMLElement | null = null;

/** Remembers the button of the open menu, which is gone by the time a dialog that it opens takes the focus. */
export function noteMenuButton(button: HTMLElement | null): () => void {
  menuButton = button;
  return () => {
    setTimeout(() => {
      if (menuButton === button) menuButton = null;
    });
  };
}

export function useReturnFocus() {
  const opener = useRef<Element | null>(null);
  return {
    onOpenAutoFocus: () => {
      opener.current = menuButton ?? document.activeElement;
    },
    onCloseAutoFocus: (event: Event) => {
      if (event.defaultPrevented) return;
      event.preventDefault();
      if (opener.current instanceof HTMLElement && opener.current.isConnected) {
        opener.current.focus();
      }
    },
  };
}
