import { Archive, ArchiveRestore, FolderInput, Tag, Trash2, X } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { IconButton } from "@/app/_ui/button";
import { countOf } from "@/app/_ui/format-amount";
import type { SessionWire } from "@/lib/chat/wire/sessions";
import type { SessionActions } from "./use-session-actions";

const MoveDialog = dynamic(() => import("./move-dialog").then((part) => part.MoveDialog));

export interface SelectionBarProps {
  readonly sessions: readonly SessionWire[];
  readonly isArchive: boolean;
  readonly actions: SessionActions;
  readonly onTag: () => void;
  readonly onDone: () => void;
}

export function SelectionBar({ sessions, isArchive, actions, onTag, onDone }: SelectionBarProps) {
  const [isMoving, setIsMoving] = useState(false);
  const first = (act: () => void) => () => {
    onDone();
    act();
  };
  return (
    <section
      aria-label="Selected chats"
      className="flex h-11 shrink-0 items-center gap-1 border-line border-t pr-2 pl-4.5"
    >
      <p role="status" className="min-w-0 flex-1 truncate font-medium text-sm">
        {countOf(sessions.length, "chat")}
      </p>
      <IconButton
        label={isArchive ? "Unarchive" : "Archive"}
        tooltip="top"
        onClick={first(() => void actions.setArchived(sessions, !isArchive))}
      >
        {isArchive ? <ArchiveRestore aria-hidden /> : <Archive aria-hidden />}
      </IconButton>
      <IconButton label="Move to…" tooltip="top" onClick={() => setIsMoving(true)}>
        <FolderInput aria-hidden />
      </IconButton>
      <IconButton label="Tags" tooltip="top" onClick={onTag}>
        <Tag aria-hidden />
      </IconButton>
      <IconButton
        label="Delete"
        tooltip="top"
        onClick={first(() => void actions.remove(sessions))}
        className="text-danger"
      >
        <Trash2 aria-hidden />
      </IconButton>
      <IconButton label="Stop selecting" shortcut={["Esc"]} tooltip="top" onClick={onDone}>
        <X aria-hidden />
      </IconButton>
      {isMoving && (
        <MoveDialog
          sessions={sessions}
          onMove={(target) => {
            onDone();
            void actions.move(sessions, target);
          }}
          onClose={() => setIsMoving(false)}
        />
      )}
    </section>
  );
}
