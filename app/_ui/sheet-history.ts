"use client";

import { createContext, useContext, useEffect, useEffectEvent } from "react";

const mark = "groveSheet";

/** True inside a sheet, whose links replace the entry it added to the history. */
export const SheetContext = createContext(false);

export function useInSheet(): boolean {
  return useContext(SheetContext);
}

/** An open sheet is an entry of the history, so that Back closes it. */
export function useBackCloses(isOpen: boolean, onClose: () => void): void {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (!isOpen) return;
    if (!isSheetEntry()) history.pushState({ [mark]: true }, "", location.href);
    const onBack = () => close();
    addEventListener("popstate", onBack);
    return () => removeEventListener("popstate", onBack);
  }, [isOpen]);
}

/** Closes a sheet as Back would; without its entry with `close`. */
export function leaveSheet(close: () => void): void {
  if (isSheetEntry()) history.back();
  else close();
}

/** Closes a sheet at once, and takes its entry away. */
export function closeSheet(close: () => void): void {
  close();
  if (isSheetEntry()) history.back();
}

function isSheetEntry(): boolean {
  const state: unknown = history.state;
  return typeof state === "object" && state !== null && mark in state;
}
