"use client";

import {
  Archive,
  ArchiveRestore,
  Ellipsis,
  FileJson,
  FileText,
  Pencil,
  Pin,
  PinOff,
  Tag,
  Trash2,
} from "lucide-react";
import { useRef } from "react";
import { pathOf } from "@/app/_api/api";
import { IconButton } from "@/app/_ui/button";
import { Menu, MenuItem, MenuSeparator } from "@/app/_ui/menu";
import type { SessionWire } from "@/lib/chat/wire/sessions";
import { sessionTitle } from "./session-title";
import type { SessionActions } from "./use-session-actions";

export interface SessionMenuProps {
  session: SessionWire;
  actions: SessionActions;
  onRename: () => void;
  onEditTags: () => void;
}

export function SessionMenu({ session, actions, onRename, onEditTags }: SessionMenuProps) {
  // Renaming and tagging focus a field; the menu must not move the focus back.
  const keepsFocus = useRef(false);
  const elsewhere = (action: () => void) => () => {
    keepsFocus.current = true;
    action();
  };
  return (
    <Menu
      align="start"
      trigger={
        <IconButton label={`Actions for ${sessionTitle(session)}`} size="xs" tooltip="none">
          <Ellipsis aria-hidden />
        </IconButton>
      }
      onCloseAutoFocus={(event) => {
        if (keepsFocus.current) event.preventDefault();
        keepsFocus.current = false;
      }}
    >
      <MenuItem icon={<Pencil aria-hidden />} onSelect={elsewhere(onRename)}>
        Rename
      </MenuItem>
      <MenuItem
        icon={session.pinned ? <PinOff aria-hidden /> : <Pin aria-hidden />}
        onSelect={() => actions.setPinned(session, !session.pinned)}
      >
        {session.pinned ? "Unpin" : "Pin"}
      </MenuItem>
      <MenuItem icon={<Tag aria-hidden />} onSelect={elsewhere(onEditTags)}>
        Tags
      </MenuItem>
      <MenuItem
        icon={session.archived ? <ArchiveRestore aria-hidden /> : <Archive aria-hidden />}
        onSelect={() => actions.setArchived(session, !session.archived)}
      >
        {session.archived ? "Unarchive" : "Archive"}
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={<FileJson aria-hidden />} onSelect={() => exportSession(session.id, "json")}>
        Export as JSON
      </MenuItem>
      <MenuItem
        icon={<FileText aria-hidden />}
        onSelect={() => exportSession(session.id, "markdown")}
      >
        Export as Markdown
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={<Trash2 aria-hidden />} danger onSelect={() => actions.remove(session)}>
        Delete
      </MenuItem>
    </Menu>
  );
}

/** Complete as JSON, or the visible path as Markdown. */
export function exportSession(sessionId: string, form: "json" | "markdown"): void {
  const shown = new URL(location.href);
  const isOpen = decodeURIComponent(shown.pathname) === `/s/${sessionId}`;
  const leaf = isOpen ? shown.searchParams.get("leaf") : null;
  const request = { params: { sessionId }, query: { as: form, leaf } };
  location.assign(pathOf("GET /api/sessions/:sessionId/export", request));
}
