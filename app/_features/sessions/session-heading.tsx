"use client";

import dynamic from "next/dynamic";
import { useState } from "react";
import { type OfferedCommands, useOfferedCommands } from "@/app/_shell/page-commands";
import { Skeleton } from "@/app/_ui/loading";
import type { SessionWire } from "@/lib/chat/wire/sessions";
import { exportSession } from "./export-session";
import { InlineRename } from "./inline-rename";
import { SessionLineage } from "./session-lineage";
import { SessionMenu } from "./session-menu";
import { sessionTitle } from "./session-title";
import { useKnownTags } from "./use-known-tags";
import { useSession } from "./use-session";
import { type SessionActions, useSessionActions } from "./use-session-actions";

const TagsDialog = dynamic(() => import("./tags-dialog").then((part) => part.TagsDialog));

export interface SessionHeadingProps {
  readonly sessionId: string;
  /** Stands there until the title is known. */
  readonly placeholder?: string | undefined;
}

export function SessionHeading({ sessionId, placeholder }: SessionHeadingProps) {
  const { data, isError } = useSession(sessionId);
  const actions = useSessionActions();
  const knownTags = useKnownTags();
  const [editing, setEditing] = useState<Editing | null>(null);

  useOfferedCommands(data ? commandsOf(data.session, { actions, edit: setEditing }) : noCommands);

  if (!data && placeholder) {
    return <h1 className="truncate font-semibold text-sm">{placeholder}</h1>;
  }
  // A session about to be created has no title yet.
  if (isError) return <h1 className="truncate font-semibold text-sm">New chat</h1>;
  if (!data) return <Skeleton className="h-4 w-48 max-w-full" />;
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
          <h1 className="truncate font-semibold text-sm leading-5" title={session.title}>
            <button
              type="button"
              className="relative max-w-full truncate rounded-sm px-1.5 hover:bg-hover"
              onClick={() => setEditing("title")}
            >
              {sessionTitle(session)}
              <span className="sr-only"> (rename)</span>
            </button>
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
      {editing === "tags" && (
        <TagsDialog
          session={session}
          known={knownTags.map(({ tag }) => tag)}
          onChange={(tags) => actions.setTags(session, tags)}
          onClose={() => setEditing(null)}
        />
      )}
    </div>
  );
}

type Editing = "title" | "tags";

const noCommands: OfferedCommands = {};

function commandsOf(
  session: SessionWire,
  { actions, edit }: { actions: SessionActions; edit: (part: Editing) => void },
): OfferedCommands {
  return {
    rename: () => edit("title"),
    tags: () => edit("tags"),
    [session.pinned ? "unpin" : "pin"]: () => actions.setPinned(session, !session.pinned),
    [session.archived ? "unarchive" : "archive"]: () =>
      actions.setArchived(session, !session.archived),
    "export-json": () => exportSession(session.id, "json"),
    "export-markdown": () => exportSession(session.id, "markdown"),
    delete: () => actions.remove(session),
  };
}
