"use client";

import { startTransition, useEffect, useState } from "react";
import { classNames } from "./class-names";
import { useCameFromServer } from "./page-phase";

const appleNames: Record<string, string> = { mod: "⌘", shift: "⇧", alt: "⌥", enter: "↵" };
const otherNames: Record<string, string> = {
  mod: "Ctrl",
  shift: "Shift",
  alt: "Alt",
  enter: "Enter",
};

export const isApple = () => /Mac|iPhone|iPad/.test(navigator.userAgent);

function useIsApple(): boolean {
  const cameFromServer = useCameFromServer();
  const [apple, setApple] = useState(() => cameFromServer || isApple());
  useEffect(() => startTransition(() => setApple(isApple())), []);
  return apple;
}

export interface KbdProps {
  keys: readonly string[];
  tone?: "plain" | "inverse";
  kind?: "hint" | "listed";
}

export function Kbd({ keys, tone = "plain", kind = "hint" }: KbdProps) {
  const apple = useIsApple();
  const names = keys.map((key) => (apple ? appleNames[key] : otherNames[key]) ?? key);
  return (
    <kbd
      className={classNames(
        "inline-flex items-center whitespace-nowrap font-sans text-2xs tracking-wide",
        kind === "hint" && "pointer-coarse:hidden",
        tone === "inverse"
          ? "opacity-75"
          : "rounded-xs border border-line bg-raised px-1.5 py-px text-muted",
      )}
    >
      {names.join(apple ? "" : "+")}
    </kbd>
  );
}
