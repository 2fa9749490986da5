"use client";

import { useLayoutEffect } from "react";
import { shellStore } from "./shell-store";

/** Stands in for the palette's field until that has the focus, and keeps what is typed for it. */
export function TypeAhead() {
  useLayoutEffect(() => {
    const keep = (event: KeyboardEvent) => {
      if (event.metaKey || event.ctrlKey || event.altKey || event.isComposing) return;
      if (event.key === "Escape") shellStore.closeOverlay();
      else if (event.key === "Backspace") shellStore.typePalette((query) => query.slice(0, -1));
      else if ([...event.key].length === 1) shellStore.typePalette((query) => query + event.key);
      // What has focus must not take it: a draft in the composer would be sent.
      else if (event.key !== "Enter") return;
      event.preventDefault();
      event.stopPropagation();
    };
    addEventListener("keydown", keep, { capture: true });
    return () => removeEventListener("keydown", keep, { capture: true });
  }, []);
  return null;
}
