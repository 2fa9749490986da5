"use client";

import {
  Archive,
  ArchiveRestore,
  Copy,
  Ellipsis,
  FileJson,
  FileText,
  FolderInput,
  PanelsTopLeft,
  Pencil,
  Pin,
  PinOff,
  Printer,
  Share2,
  SquareCheck,
  Tag,
  Trash2,
} from "lucide-react";
import dynamic from "next/dynamic";
import { useRef, useState } from "react";
import { pathOf } from "@/app/_api/api";
import { pageFetch } from "@/app/_api/page-person";
import { toastError } from "@/app/_api/toast-error";
import { pageCommands } from "@/app/_data/page/page-commands";
import { shownLeaf } from "@/app/_data/search/search-addresses";
import { sessionTitle } from "@/app/_data/sessions/session-title";
import { useOpenSessionId } from "@/app/_data/sessions/use-sessions";
import { IconButton } from "@/app/_ui/button";
import { Menu, MenuItem, MenuSeparator } from "@/app/_ui/menu";
import { Writes } from "@/app/_ui/reads-only";
import { useStore } from "@/app/_ui/store";
import { toastDone } from "@/app/_ui/toast";
import type { SessionWire } from "@/lib/chat/wire/sessions";
import type { SessionActions } from "./use-session-actions";

const SavePageDialog = dynamic(() =>
  import("./save-page-dialog").then((part) => part.SavePageDialog),
);
const ShareDialog = dynamic(() => import("./share-dialog").then((part) => part.ShareDialog));
const MoveDialog = dynamic(() => import("./move-dialog").then((part) => part.MoveDialog));

export interface SessionMenuProps {
  session: SessionWire;
  actions: SessionActions;
  onRename: () => void;
  onEditTags: () => void;
  onPick?: () => void;
}

export function SessionMenu(props: SessionMenuProps) {
  const { session, actions, onRename, onEditTags, onPick } = props;
  // The menu must not take the focus back from a field.
  const keepsFocus = useRef(false);
  const isOpen = useOpenSessionId() === session.id;
  const print = useStore(pageCommands).get("print");
  const elsewhere = (action: () => void) => () => {
    keepsFocus.current = true;
    action();
  };
  const [shown, setShown] = useState<SessionDialogKind | null>(null);
  return (
    <>
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
        <Writes>
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
            onSelect={() => void actions.setArchived([session], !session.archived)}
          >
            {session.archived ? "Unarchive" : "Archive"}
          </MenuItem>
          <MenuItem icon={<FolderInput aria-hidden />} onSelect={() => setShown("move")}>
            Move to…
          </MenuItem>
          {onPick && (
            <MenuItem icon={<SquareCheck aria-hidden />} onSelect={elsewhere(onPick)}>
              Select
            </MenuItem>
          )}
          <MenuSeparator />
        </Writes>
        {isOpen && print && (
          <MenuItem icon={<Printer aria-hidden />} onSelect={print}>
            Print or save as PDF
          </MenuItem>
        )}
        <Writes>
          <MenuItem icon={<Share2 aria-hidden />} onSelect={() => setShown("share")}>
            Share…
          </MenuItem>
        </Writes>
        <MenuItem icon={<PanelsTopLeft aria-hidden />} onSelect={() => setShown("save-page")}>
          Save as web page
        </MenuItem>
        <MenuItem
          icon={<FileJson aria-hidden />}
          onSelect={() => exportSession(session.id, "json")}
        >
          Export as JSON
        </MenuItem>
        <MenuItem
          icon={<FileText aria-hidden />}
          onSelect={() => exportSession(session.id, "markdown")}
        >
          Export as Markdown
        </MenuItem>
        <MenuItem icon={<Copy aria-hidden />} onSelect={() => void copySession(session.id)}>
          Copy as Markdown
        </MenuItem>
        <Writes>
          <MenuSeparator />
          <MenuItem
            icon={<Trash2 aria-hidden />}
            danger
            onSelect={() => void actions.remove([session])}
          >
            Delete
          </MenuItem>
        </Writes>
      </Menu>
      {shown && (
        <SessionDialog {...{ session, actions }} kind={shown} onClose={() => setShown(null)} />
      )}
    </>
  );
}

export type SessionDialogKind = "move" | "share" | "save-page";

export interface SessionDialogProps extends Pick<SessionMenuProps, "session" | "actions"> {
  readonly kind: SessionDialogKind;
  readonly onClose: () => void;
}

export function SessionDialog({ session, actions, kind, onClose }: SessionDialogProps) {
  switch (kind) {
    case "move":
      return (
        <MoveDialog
          sessions={[session]}
          onMove={(target) => void actions.move([session], target)}
          onClose={onClose}
        />
      );
    case "share":
      return <ShareDialog session={session} onClose={onClose} />;
    case "save-page":
      return <SavePageDialog session={session} onClose={onClose} />;
  }
}

export function exportSession(sessionId: string, form: "json" | "markdown"): void {
  location.assign(exportPath(sessionId, form));
}

export async function copySession(sessionId: string): Promise<void> {
  const text = pageFetch(exportPath(sessionId, "markdown")).then((response) => {
    if (!response.ok) throw new Error(`Status ${response.status}`);
    return response.text();
  });
  const blob = text.then((words) => new Blob([words], { type: "text/plain" }));
  // The write begins at once: a browser may refuse to copy after the click has ended.
  const copied = navigator.clipboard.write([new ClipboardItem({ "text/plain": blob })]);
  const [read, written] = await Promise.allSettled([text, copied]);
  if (read.status === "rejected") toastError("The chat could not be read. Try again.");
  else if (written.status === "fulfilled") toastDone("Chat copied");
  else toastError("Your browser blocked copying. Export the chat as Markdown instead.");
}

function exportPath(sessionId: string, form: "json" | "markdown"): string {
  const request = { params: { sessionId }, query: { as: form, leaf: shownLeaf(sessionId) } };
  return pathOf("GET /api/sessions/:sessionId/export", request);
}
