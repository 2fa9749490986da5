"use client";

import { usePathname, useRouter } from "next/navigation";
import { useEffect, useEffectEvent } from "react";
import { focusComposer } from "./focus-composer";
import { shellStore } from "./shell-store";
import { isTyping, shortcutOf } from "./shortcuts";
import { useDrawer } from "./use-shell";

const isSessionPage = /^\/s\/[^/]+$/;

export function useShellShortcuts(): void {
  const router = useRouter();
  const pathname = usePathname();
  const drawer = useDrawer();

  // Without a session, and in the find field itself, the key belongs to the browser.
  const canFind = (target: EventTarget | null) =>
    isSessionPage.test(pathname) &&
    !(target instanceof HTMLElement && target.matches("[data-find-input]"));

  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing) return;
    const shortcut = shortcutOf(event, { isTyping: isTyping(event.target) });
    if (!shortcut || (shortcut === "find" && !canFind(event.target))) return;
    event.preventDefault();
    if (shortcut === "palette") shellStore.openPalette();
    else if (shortcut === "find") shellStore.findInSession();
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
