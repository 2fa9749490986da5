"use client";

import { GitBranch, GitFork, Plug } from "lucide-react";
import dynamic from "next/dynamic";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { type OfferedCommands, useOfferedCommands } from "@/app/_data/page/page-commands";
import { messageAddress, sessionAddress } from "@/app/_data/search/search-addresses";
import { sessionTitle } from "@/app/_data/sessions/session-title";
import { useKnownTags, useSession } from "@/app/_data/sessions/use-sessions";
import { countOf } from "@/app/_ui/format-amount";
import { isolated } from "@/app/_ui/isolated";
import { Skeleton } from "@/app/_ui/loading";
import { Menu, MenuItem, MenuLabel } from "@/app/_ui/menu";
import { useReadsOnly } from "@/app/_ui/reads-only";
import type { SessionDetailWire, SessionWire } from "@/lib/chat/wire/sessions";
import { isTemporaryId } from "@/lib/chat/wire/temporary-id";
import { InlineRename } from "./inline-rename";
import {
  copySession,
  exportSession,
  SessionDialog,
  type SessionDialogKind,
  SessionMenu,
} from "./session-menu";
import { TemporaryHeading } from "./temporary-heading";
import { type SessionActions, useSessionActions } from "./use-session-actions";

const TagsDialog = dynamic(() => import("./tags-dialog").then((part) => part.TagsDialog));

export interface SessionHeadingProps {
  readonly sessionId: string;
  readonly placeholder?: string | undefined;
}

export function SessionHeading(props: SessionHeadingProps) {
  const { sessionId } = props;
  if (isTemporaryId(sessionId)) return <TemporaryHeading sessionId={sessionId} />;
  return <KeptHeading {...props} />;
}

function KeptHeading({ sessionId, placeholder }: SessionHeadingProps) {
  const { data, isError } = useSession(sessionId);
  const actions = useSessionActions();
  const knownTags = useKnownTags();
  const [editing, setEditing] = useState<HeadingEditor | null>(null);
  const readsOnly = useReadsOnly();

  const commands = data ? commandsOf(data.session, { actions, edit: setEditing }) : noCommands;
  useOfferedCommands(readsOnly ? readingCommands(commands) : commands);

  if (!data && placeholder) {
    return <h1 className="truncate font-semibold text-sm">{placeholder}</h1>;
  }
  if (isError) return <h1 className="truncate font-semibold text-sm">New chat</h1>;
  if (!data) {
    return (
      <h1>
        <span className="sr-only">Chat</span>
        <Skeleton className="h-4 w-48 max-w-full" />
      </h1>
    );
  }
  const { session, parent, forks } = data;
  return (
    <div className="flex min-w-0 items-center gap-1">
      <div className="min-w-0 flex-1">
        {editing === "title" ? (
          <InlineRename
            title={session.title}
            onRename={(title) => actions.rename(session, title)}
            onDone={() => setEditing(null)}
            className="h-7 w-80 max-w-full font-semibold text-sm"
          />
        ) : (
          <h1 className="font-semibold text-sm leading-5" title={session.title}>
            {readsOnly ? (
              <span className="block truncate px-1.5">{sessionTitle(session)}</span>
            ) : (
              <button
                type="button"
                className="relative block max-w-full rounded-sm px-1.5 text-start pointer-coarse:after:absolute pointer-coarse:after:inset-x-0 pointer-coarse:after:-inset-y-3 hover:bg-hover"
                onClick={() => setEditing("title")}
              >
                <span className="block truncate">{sessionTitle(session)}</span>
                <span className="sr-only"> (rename)</span>
              </button>
            )}
          </h1>
        )}
        {editing !== "title" && <SessionLineage session={session} parent={parent} forks={forks} />}
      </div>
      {editing !== "title" && (
        <SessionMenu
          session={session}
          actions={actions}
          onRename={() => setEditing("title")}
          onEditTags={() => setEditing("tags")}
        />
      )}
      {editing !== null && editing !== "title" && editing !== "tags" && (
        <SessionDialog {...{ session, actions }} kind={editing} onClose={() => setEditing(null)} />
      )}
      {editing === "tags" && (
        <TagsDialog
          sessions={[session]}
          known={knownTags.map(({ tag }) => tag)}
          onChange={(tagsOf) => void actions.setTags([session], tagsOf)}
          onClose={() => setEditing(null)}
        />
      )}
    </div>
  );
}

type HeadingEditor = "title" | "tags" | SessionDialogKind;

const noCommands: OfferedCommands = {};

function commandsOf(
  session: SessionWire,
  { actions, edit }: { actions: SessionActions; edit: (part: HeadingEditor) => void },
): OfferedCommands {
  return {
    rename: () => edit("title"),
    tags: () => edit("tags"),
    move: () => edit("move"),
    share: () => edit("share"),
    "save-page": () => edit("save-page"),
    [session.pinned ? "unpin" : "pin"]: () => actions.setPinned(session, !session.pinned),
    [session.archived ? "unarchive" : "archive"]: () =>
      void actions.setArchived([session], !session.archived),
    "export-json": () => exportSession(session.id, "json"),
    "export-markdown": () => exportSession(session.id, "markdown"),
    "copy-markdown": () => void copySession(session.id),
    delete: () => void actions.remove([session]),
  };
}

function readingCommands(commands: OfferedCommands): OfferedCommands {
  const { "save-page": savePage, "export-json": json, "export-markdown": markdown } = commands;
  const copy = commands["copy-markdown"];
  return {
    "save-page": savePage,
    "export-json": json,
    "export-markdown": markdown,
    "copy-markdown": copy,
  };
}

/** Above the target of the title, which reaches below it under a finger. */
const lineLook =
  "relative -mt-0.5 flex min-w-0 max-w-full items-center gap-1 rounded-sm px-1.5 text-faint text-xs hover:text-ink pointer-coarse:after:absolute pointer-coarse:after:inset-x-0 pointer-coarse:after:top-0 pointer-coarse:after:-bottom-3";

function SessionLineage({ session, parent, forks }: Omit<SessionDetailWire, "activeLeafId">) {
  const { program } = session;
  if (!parent && forks.length === 0 && program === null) return null;
  return (
    <div className="flex min-w-0 items-center">
      {program !== null && (
        <span className={lineLook} title={`Begun by the program “${isolated(program)}”`}>
          <Plug aria-hidden className="size-3 shrink-0" />
          <span className="truncate">
            from <bdi>{program}</bdi>
          </span>
        </span>
      )}
      {parent && (
        <Link href={placeIn(parent.id, session.forkedAtMessageId)} className={lineLook}>
          <GitBranch aria-hidden className="size-3 shrink-0" />
          <span className="truncate">from {sessionTitle(parent)}</span>
        </Link>
      )}
      {forks.length > 0 && <ForksMenu forks={forks} />}
    </div>
  );
}

function ForksMenu({ forks }: Pick<SessionDetailWire, "forks">) {
  const router = useRouter();
  return (
    <Menu
      align="start"
      trigger={
        <button type="button" className={`${lineLook} shrink-0`}>
          <GitFork aria-hidden className="size-3 shrink-0" />
          continued in {countOf(forks.length, "chat")}
        </button>
      }
    >
      <MenuLabel>Chats that branch from this one</MenuLabel>
      {forks.map((fork) => (
        <MenuItem
          key={fork.id}
          icon={<GitBranch aria-hidden />}
          onSelect={() => router.push(sessionAddress(fork.id))}
        >
          {sessionTitle(fork)}
        </MenuItem>
      ))}
    </Menu>
  );
}

function placeIn(sessionId: string, messageId: string | null): string {
  return messageId === null ? sessionAddress(sessionId) : messageAddress(sessionId, messageId);
}
