"use client";

import { useLayoutEffect } from "react";
import { shellStore } from "@/app/_data/page/shell-store";

export function TypeAhead() {
  useLayoutEffect(() => {
    const keep = (event: KeyboardEvent) => {
      if (event.metaKey || event.ctrlKey || event.altKey) return;
      if (event.key === "Escape") shellStore.closeOverlay();
      else if (event.key === "Backspace") shellStore.typePalette((query) => query.slice(0, -1));
      else if ([...event.key].length === 1) shellStore.typePalette((query) => query + event.key);
      // Enter in a focused composer would send its draft.
      else if (event.key !== "Enter") return;
      event.preventDefault();
      event.stopPropagation();
    };
    addEventListener("keydown", keep, { capture: true });
    return () => removeEventListener("keydown", keep, { capture: true });
  }, []);
  return null;
}
