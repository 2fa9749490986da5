"use client";

import { X } from "lucide-react";
import { Button, IconButton } from "@/app/_ui/button";

export interface LeftBranchLineProps {
  readonly title: string;
  readonly onBring: () => void;
  readonly onDismiss: () => void;
}

/** Overlays reserved space, so nothing moves. */
export function LeftBranchLine({ title, onBring, onDismiss }: LeftBranchLineProps) {
  return (
    <div className="absolute inset-x-3 bottom-full flex h-8 animate-appear items-center gap-1 bg-paper text-faint text-xs sm:inset-x-5">
      <p className="flex min-w-0 flex-1 whitespace-pre pl-1">
        {title === "" ? (
          "You left a branch."
        ) : (
          <>
            <span>You left “</span>
            <span dir="auto" className="truncate">
              {title.slice(0, maxLength)}
            </span>
            <span>”</span>
          </>
        )}
      </p>
      <Button size="sm" variant="ghost" onClick={onBring}>
        Carry context over…
      </Button>
      <IconButton label="Dismiss" size="xs" tooltip="top" onClick={onDismiss}>
        <X aria-hidden />
      </IconButton>
    </div>
  );
}

// More than any screen is wide; a message may be very long.
const maxLength = 300;
