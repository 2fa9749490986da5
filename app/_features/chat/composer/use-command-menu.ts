"use client";

import { useState } from "react";
import type { SlashCommand } from "./slash-command";

export type MenuMove =
  | { readonly kind: "moved" }
  | { readonly kind: "closed" }
  | { readonly kind: "choose"; readonly command: SlashCommand };

/** State and keys of the command menu. */
export function useCommandMenu(matching: readonly SlashCommand[]) {
  const [activeName, setActiveName] = useState<string | null>(null);
  const [closedFor, setClosedFor] = useState<string | null>(null);
  const offered = matching.map(({ name }) => name).join(" ");
  const isOpen = matching.length > 0 && closedFor !== offered;
  const activeIndex = Math.max(
    0,
    matching.findIndex(({ name }) => name === activeName),
  );

  function move(by: number): MenuMove {
    const next = matching[(activeIndex + by + matching.length) % matching.length];
    setActiveName(next?.name ?? null);
    return { kind: "moved" };
  }

  function onKey(key: string): MenuMove | null {
    const command = matching[activeIndex];
    if (!isOpen || !command) return null;
    if (key === "ArrowDown") return move(1);
    if (key === "ArrowUp") return move(-1);
    if (key === "Enter" || key === "Tab") return { kind: "choose", command };
    if (key !== "Escape") return null;
    setClosedFor(offered);
    return { kind: "closed" };
  }

  return { isOpen, activeIndex, onKey, close: () => setClosedFor(offered) };
}
