"use client";

import { Ellipsis, Pencil, Sparkles, Undo2 } from "lucide-react";
import { IconButton } from "@/app/_ui/icon-button";
import { Menu, MenuItem, MenuSeparator } from "@/app/_ui/menu";
import type { SeamView } from "./seam-view";

export interface SeamMenuProps {
  onView: (view: SeamView) => void;
  onUndo: () => void;
  isUndoing: boolean;
}

export function SeamMenu({ onView, onUndo, isUndoing }: SeamMenuProps) {
  return (
    <Menu
      trigger={
        <IconButton label="Summary actions" tooltip="none" disabled={isUndoing}>
          <Ellipsis aria-hidden />
        </IconButton>
      }
    >
      <MenuItem icon={<Pencil aria-hidden />} onSelect={() => onView("edit")}>
        Edit summary
      </MenuItem>
      <MenuItem icon={<Sparkles aria-hidden />} onSelect={() => onView("redo")}>
        Redo with focus
      </MenuItem>
      <MenuSeparator />
      <MenuItem
        icon={<Undo2 aria-hidden />}
        note="Restores the original messages"
        onSelect={onUndo}
      >
        Undo
      </MenuItem>
    </Menu>
  );
}
