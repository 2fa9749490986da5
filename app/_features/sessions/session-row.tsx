"use client";

import { Check, CircleQuestionMark, GitBranch } from "lucide-react";
import Link from "next/link";
import { useDeferredValue, useState } from "react";
import { shellStore } from "@/app/_data/page/shell-store";
import { sessionAddress } from "@/app/_data/search/search-addresses";
import { sessionTitle } from "@/app/_data/sessions/session-title";
import { classNames } from "@/app/_ui/class-names";
import type { SessionWire } from "@/lib/chat/wire/sessions";
import { InlineRename } from "./inline-rename";
import { SessionMenu } from "./session-menu";
import type { RowSelection } from "./use-selection";
import type { SessionActions } from "./use-session-actions";

export interface SessionRowProps {
  session: SessionWire;
  parentTitle: string | null;
  isOpen: boolean;
  actions: SessionActions;
  onEditTags: (session: SessionWire) => void;
  selection?: RowSelection;
}

export function SessionRow(props: SessionRowProps) {
  const { session, parentTitle, isOpen, actions, onEditTags, selection } = props;
  const isSelecting = selection?.isSelecting === true;
  const tabIndex = selection?.isActive === false ? -1 : undefined;
  const isUnread = session.unread && !isOpen;
  const [isRenaming, setIsRenaming] = useState(false);
  const hasMenu = useDeferredValue(true, false);
  return (
    <div
      data-reveal
      className={classNames(
        "relative mx-2 rounded-md transition-colors",
        isOpen ? "bg-hover" : "hover:bg-hover/60",
      )}
    >
      <div className="flex h-9 pointer-coarse:h-11 items-center">
        {isRenaming ? (
          <div className="min-w-0 flex-1 px-1">
            <InlineRename
              title={session.title}
              onRename={(title) => actions.rename(session, title)}
              onDone={() => {
                setIsRenaming(false);
                focusSessionLink(session.id);
              }}
              className="h-7 text-sm"
            />
          </div>
        ) : (
          <Link
            href={sessionAddress(session.id)}
            prefetch={false}
            data-session-link={session.id}
            aria-current={isOpen ? "page" : undefined}
            tabIndex={tabIndex}
            {...(isSelecting && { role: "checkbox", "aria-checked": selection.isSelected })}
            onClick={(event) => {
              if (!selection?.onClick(event)) shellStore.closeSidebarSheet();
            }}
            className="flex h-full min-w-0 flex-1 items-center gap-2 rounded-md px-2.5 text-sm -outline-offset-2"
          >
            {isSelecting && <SelectionMark isSelected={selection.isSelected} />}
            <span
              className={classNames(
                "min-w-0 flex-1 truncate",
                isUnread || isOpen ? "font-medium text-ink" : "text-ink",
                session.title === "" && "text-muted",
              )}
            >
              {sessionTitle(session)}
            </span>
            <SessionMark session={session} isUnread={isUnread} />
          </Link>
        )}
        {hasMenu && !isRenaming && !isSelecting && (
          <div className="reveal-beside shrink-0 pr-1.5">
            <SessionMenu
              session={session}
              actions={actions}
              onRename={() => setIsRenaming(true)}
              onEditTags={() => onEditTags(session)}
              {...(selection && {
                onPick: () => {
                  selection.onSelect();
                  focusSessionLink(session.id);
                },
              })}
            />
          </div>
        )}
      </div>
      {session.parentSessionId && (
        <Link
          href={sessionAddress(session.parentSessionId)}
          prefetch={false}
          tabIndex={tabIndex}
          onClick={shellStore.closeSidebarSheet}
          className="-mt-1 flex h-6 min-w-0 items-center gap-1.5 rounded-sm pr-3 pl-2.5 text-faint text-xs -outline-offset-2 hover:text-ink"
        >
          <GitBranch aria-hidden className="size-3 shrink-0" />
          <span className="truncate">from {parentTitle ?? "another chat"}</span>
        </Link>
      )}
    </div>
  );
}

function SelectionMark({ isSelected }: Pick<RowSelection, "isSelected">) {
  return (
    <span
      aria-hidden
      className={classNames(
        "flex size-4 shrink-0 items-center justify-center rounded-xs border",
        isSelected ? "border-accent bg-accent text-on-accent" : "border-edge",
      )}
    >
      {isSelected && <Check className="size-3" />}
    </span>
  );
}

interface SessionMarkProps {
  session: Pick<SessionWire, "writing" | "waiting">;
  isUnread: boolean;
}

function SessionMark({ session: { writing, waiting }, isUnread }: SessionMarkProps) {
  if (waiting) {
    return (
      <span className="flex shrink-0 items-center gap-1 text-warn text-xs">
        <CircleQuestionMark aria-hidden className="size-3.5" />
        needs approval
      </span>
    );
  }
  if (writing) {
    return (
      <span className="flex shrink-0 items-center gap-1 text-accent text-xs">
        <span aria-hidden className="size-1.5 animate-breathe rounded-full bg-accent" />
        writing
      </span>
    );
  }
  if (!isUnread) return null;
  return (
    <span className="size-2 shrink-0 rounded-full bg-accent">
      <span className="sr-only">new answer</span>
    </span>
  );
}

export function focusSessionLink(sessionId: string): void {
  requestAnimationFrame(() => {
    const rows = document.querySelectorAll<HTMLElement>("[data-session-link]");
    [...rows].find((row) => row.dataset.sessionLink === sessionId)?.focus();
  });
}
