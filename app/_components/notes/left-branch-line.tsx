"use client";

import { X } from "lucide-react";
import { Button } from "@/app/_components/ui/button";
import { IconButton } from "@/app/_components/ui/icon-button";

export interface LeftBranchLineProps {
  readonly onBring: () => void;
  readonly onDismiss: () => void;
}

/** A quiet offer above the composer after a branch was left. It goes by itself once something is sent. */
export function LeftBranchLine({ onBring, onDismiss }: LeftBranchLineProps) {
  return (
    <div className="mb-1 flex items-center gap-1 text-faint text-xs">
      <span className="min-w-0 flex-1 truncate pl-1">A new branch begins here.</span>
      <Button size="sm" variant="ghost" onClick={onBring}>
        Bring something along…
      </Button>
      <IconButton label="Nothing to bring along" size="xs" tooltip="top" onClick={onDismiss}>
        <X aria-hidden />
      </IconButton>
    </div>
  );
}
