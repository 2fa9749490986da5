"use client";

import { usePathname, useRouter } from "next/navigation";
import { useEffect, useEffectEvent } from "react";
import { isApple } from "@/app/_ui/kbd";
import { inSpace } from "@/app/_ui/page-space";
import { focusComposer } from "./focus-composer";
import { pageCommands } from "./page-commands";
import { shellStore, useDrawer } from "./shell-store";

export interface Shortcut {
  id: "palette" | "find" | "print" | "new-chat" | "sidebar" | "drawer" | "help";
  keys: readonly string[];
  label: string;
}

export const shellShortcuts: readonly Shortcut[] = [
  { id: "palette", keys: ["mod", "K"], label: "Search and commands" },
  { id: "find", keys: ["mod", "F"], label: "Find in chat (press twice for browser search)" },
  { id: "print", keys: ["mod", "P"], label: "Print or save as PDF" },
  { id: "new-chat", keys: ["mod", "shift", "O"], label: "New chat" },
  { id: "sidebar", keys: ["mod", "B"], label: "Toggle chat list" },
  { id: "drawer", keys: ["mod", "."], label: "Toggle memory, context and tree" },
  { id: "help", keys: ["?"], label: "Keyboard shortcuts" },
];

export const placeShortcuts: readonly { place: string; keys: readonly string[]; label: string }[] =
  [
    { place: "Composer", keys: ["↑"], label: "Edit your last question (when empty)" },
    { place: "With a message focused", keys: ["c"], label: "Copy" },
    { place: "With a message focused", keys: ["e"], label: "Edit" },
    { place: "With a message focused", keys: ["r"], label: "Regenerate" },
    { place: "With a message focused", keys: ["b"], label: "Continue here" },
    {
      place: "With a message focused",
      keys: ["← →"],
      label: "Previous or next version of a message",
    },
    { place: "After a search", keys: ["n"], label: "Next hit" },
    { place: "After a search", keys: ["N"], label: "Previous hit" },
    { place: "After a search", keys: ["Esc"], label: "Back" },
    { place: "Notifications", keys: ["alt", "T"], label: "Go to the latest, to undo for example" },
    { place: "Chat list", keys: ["↑ ↓"], label: "Move between chats" },
    { place: "Chat list", keys: ["shift", "↑ ↓"], label: "Select several chats" },
    { place: "Chat list", keys: ["Space"], label: "While selecting: select or not" },
    { place: "Tree", keys: ["↑ ↓"], label: "Move between messages" },
    { place: "Tree", keys: ["← →"], label: "Collapse or expand a branch" },
    { place: "Tree", keys: ["shift", "B"], label: "Bookmark a message" },
    { place: "Tree", keys: ["shift", "C"], label: "Compare two messages" },
  ];

export interface KeyPress {
  key: string;
  metaKey: boolean;
  ctrlKey: boolean;
  shiftKey: boolean;
  altKey: boolean;
}

export function shortcutOf(
  press: KeyPress,
  { isTyping, isApple }: { isTyping: boolean; isApple: boolean },
): Shortcut["id"] | null {
  if (press.altKey) return null;
  const key = press.key.toLowerCase();
  if (!press.metaKey && !press.ctrlKey) return key === "?" && !isTyping ? "help" : null;
  if (press.shiftKey) return key === "o" ? "new-chat" : null;
  if (key === "k") return "palette";
  if (key === "f") return "find";
  // Apple's text fields move up a line with Ctrl + P.
  if (key === "p") return isApple && !press.metaKey ? null : "print";
  if (key === "b") return "sidebar";
  return key === "." ? "drawer" : null;
}

export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.closest("input, textarea, select") !== null)
  );
}

const isSessionPage = /^(?:\/p\/[^/]+)?\/s\/[^/]+$/;

export function useShellShortcuts(): void {
  const router = useRouter();
  const pathname = usePathname();
  const drawer = useDrawer();

  const canFind = (target: EventTarget | null) =>
    isSessionPage.test(pathname) &&
    !(target instanceof HTMLElement && target.matches("[data-find-input]"));

  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented) return;
    const shortcut = shortcutOf(event, {
      isTyping: isTyping(event.target),
      isApple: isApple(),
    });
    if (!shortcut || (shortcut === "find" && !canFind(event.target))) return;
    const print = shortcut === "print" ? pageCommands.read().get("print") : null;
    if (print === undefined) return;
    event.preventDefault();
    if (shortcut === "palette") shellStore.openPalette();
    else if (shortcut === "find") shellStore.findInSession();
    else if (print) print();
    else if (shortcut === "help") shellStore.openShortcuts();
    else if (shortcut === "sidebar") shellStore.toggleSidebar();
    else if (shortcut === "drawer") drawer.isOpen ? drawer.close() : drawer.open();
    else {
      router.push(inSpace("/"));
      focusComposer();
    }
  });

  useEffect(() => {
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, []);
}
