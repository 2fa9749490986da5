"use client";

import { BookOpenCheck, Ellipsis, History, Pencil, Trash2 } from "lucide-react";
import { Badge } from "@/app/_ui/badge";
import { Button, IconButton } from "@/app/_ui/button";
import { formatTokens } from "@/app/_ui/format-amount";
import { Menu, MenuItem, MenuSeparator } from "@/app/_ui/menu";
import { RelativeTime } from "@/app/_ui/relative-time";
import type { UseWire } from "@/lib/chat/wire/context";
import type { EntryDocumentWire } from "@/lib/chat/wire/memory";
import type { EntryActions } from "./use-entries";
import { UsedMark } from "./used-mark";

export interface EntryRowProps {
  entry: EntryDocumentWire;
  /** Knowledge is only searched, so only skills can be loaded. */
  isLoadable: boolean;
  use: UseWire | null;
  actions: EntryActions;
  onEdit: () => void;
  onHistory: () => void;
}

export function EntryRow({ entry, isLoadable, use, actions, onEdit, onHistory }: EntryRowProps) {
  return (
    <div className="flex items-start gap-1 py-2.5">
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-2 font-medium text-sm">
          <button
            type="button"
            onClick={onEdit}
            className="min-w-0 truncate rounded-xs text-left underline-offset-4 hover:underline"
          >
            {entry.title}
          </button>
          {use && <UsedMark use={use} />}
          {entry.loaded && (
            <Badge tone="accent">
              <BookOpenCheck aria-hidden /> Loaded
            </Badge>
          )}
        </p>
        {entry.description && (
          <p className="line-clamp-2 text-muted text-xs">{entry.description}</p>
        )}
        <p className="text-faint text-xs">
          {formatTokens(entry.tokens)} · <RelativeTime at={entry.updatedAt} />
        </p>
      </div>
      {isLoadable && (
        <Button
          size="sm"
          variant="ghost"
          busy={actions.loadingKey === entry.key}
          aria-label={`${entry.loaded ? "Unload" : "Load"} ${entry.title}`}
          onClick={() => actions.setLoaded(entry, !entry.loaded)}
        >
          {entry.loaded ? "Unload" : "Load"}
        </Button>
      )}
      <Menu
        trigger={
          <IconButton label={`Actions for ${entry.title}`} tooltip="none">
            <Ellipsis aria-hidden />
          </IconButton>
        }
      >
        <MenuItem icon={<Pencil aria-hidden />} onSelect={onEdit}>
          Edit
        </MenuItem>
        <MenuItem icon={<History aria-hidden />} onSelect={onHistory}>
          History
        </MenuItem>
        <MenuSeparator />
        <MenuItem danger icon={<Trash2 aria-hidden />} onSelect={() => actions.remove(entry)}>
          Delete
        </MenuItem>
      </Menu>
    </div>
  );
}
