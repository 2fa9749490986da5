"use client";

import { useState } from "react";
import { classNames } from "@/app/_ui/class-names";
import type { MenuEntry } from "./slash-command";

export interface CommandMenuProps {
  readonly id: string;
  readonly commands: readonly MenuEntry[];
  readonly activeIndex: number;
  readonly onChoose: (command: MenuEntry) => void;
}

/** The focus stays in the text field, which names the active command. */
export function CommandMenu({ id, commands, activeIndex, onChoose }: CommandMenuProps) {
  return (
    <div
      id={id}
      role="listbox"
      aria-label="Commands"
      className="absolute bottom-full left-0 z-20 mb-2 max-h-96 w-80 max-w-full animate-pop overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-float"
    >
      {commands.map((command, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are handled in the text field, which keeps the focus
        // biome-ignore lint/a11y/useFocusableInteractive: see above
        <div
          key={command.name}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === activeIndex}
          className={classNames(
            "cursor-pointer rounded-md px-2.5 py-1.5 text-sm",
            index === activeIndex && "bg-hover",
          )}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(command)}
        >
          <span className="font-medium">
            {"assistant" in command ? "@" : "/"}
            {command.name}
          </span>
          {command.argument && <span className="text-faint"> {command.argument}</span>}
          <span className="block truncate text-muted text-xs">{command.description}</span>
        </div>
      ))}
    </div>
  );
}

export type MenuMove =
  | { readonly kind: "moved" }
  | { readonly kind: "closed" }
  | { readonly kind: "choose"; readonly command: MenuEntry };

export function useCommandMenu(matching: readonly MenuEntry[]) {
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
