"use client";

import { Command } from "cmdk";
import type { ReactNode } from "react";

export interface PaletteItemProps {
  /** Unique in the palette. */
  id: string;
  icon: ReactNode;
  onSelect: () => void;
  children: ReactNode;
}

export function PaletteItem({ id, icon, onSelect, children }: PaletteItemProps) {
  return (
    <Command.Item
      value={id}
      onSelect={onSelect}
      className="flex min-h-10 pointer-coarse:min-h-11 cursor-pointer items-start gap-3 rounded-md px-2.5 py-2 data-[selected=true]:bg-hover [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-faint data-[selected=true]:[&>svg]:text-accent"
    >
      {icon}
      {children}
    </Command.Item>
  );
}

export function PaletteGroup({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <Command.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:truncate [&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-3 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-faint [&_[cmdk-group-heading]]:text-xs"
    >
      {children}
    </Command.Group>
  );
}
