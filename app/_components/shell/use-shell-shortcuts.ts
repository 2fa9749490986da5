"use client";

import { useRouter } from "next/navigation";
import { useEffect, useEffectEvent } from "react";
import { focusComposer } from "./focus-composer";
import { isTyping } from "./is-typing";
import { shellStore } from "./shell-store";
import { shortcutOf } from "./shortcuts";
import { useDrawer } from "./use-shell";

/** The keys that work anywhere in Grove. */
export function useShellShortcuts(): void {
  const router = useRouter();
  const drawer = useDrawer();

  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing) return;
    const shortcut = shortcutOf(event, { isTyping: isTyping(event.target) });
    if (!shortcut) return;
    event.preventDefault();
    if (shortcut === "palette") shellStore.openPalette();
    else if (shortcut === "help") shellStore.openShortcuts();
    else if (shortcut === "sidebar") shellStore.toggleSidebar();
    else if (shortcut === "drawer") drawer.isOpen ? drawer.close() : drawer.open();
    else {
      router.push("/");
      focusComposer();
    }
  });

  useEffect(() => {
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, []);
}
