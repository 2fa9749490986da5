"use client";

import { Folder, FolderPlus } from "lucide-react";
import { Failure } from "@/app/_api/failure";
import { newKeyFor } from "@/app/_data/page/arrival";
import { type KnownTag, useOpenSessionId, useSessions } from "@/app/_data/sessions/use-sessions";
import { Button } from "@/app/_ui/button";
import { isolated } from "@/app/_ui/isolated";
import { Spinner } from "@/app/_ui/loading";
import { tooltip } from "@/app/_ui/tooltip";
import { useSpace } from "@/app/_ui/use-space";
import type { SessionWire } from "@/lib/chat/wire/sessions";
import { SessionRow } from "./session-row";
import { useSessionActions } from "./use-session-actions";
import { useTagsDialog } from "./use-tags-dialog";

interface ProgramChatsProps {
  readonly programId: string;
  readonly knownTags: readonly KnownTag[];
}

/** Grouped by the folder that the program named: words of its prompt, by which nothing is reached. */
export function ProgramChats({ programId, knownTags }: ProgramChatsProps) {
  const list = useSessions({ archived: false, tag: null, program: programId });
  const openId = useOpenSessionId();
  const actions = useSessionActions();
  const { editTags, tagsDialog } = useTagsDialog(knownTags, actions);
  if (list.isPending) return <Spinner label="Loading chats" />;
  if (list.isError && list.sessions.length === 0) return <Failure of={list} className="mx-3" />;
  const folders = Map.groupBy(list.sessions, ({ folder }: SessionWire) => folder);
  const names = [...folders.keys()].map((path) => path && partsOf(path).at(-1));
  const isAlone = (path: string) => {
    const name = partsOf(path).at(-1);
    return names.filter((each) => each === name).length === 1;
  };
  return (
    <>
      {[...folders].map(([folder, sessions]) => (
        <section key={folder} aria-label={folder ?? "No folder"}>
          {folder !== null && <FolderLine path={folder} isAlone={isAlone(folder)} />}
          {folder === null && folders.size > 1 && <h4 className={folderLine}>No folder</h4>}
          {sessions.map((session) => (
            <SessionRow
              key={session.id}
              session={session}
              parentTitle={null}
              isOpen={session.id === openId}
              actions={actions}
              onEditTags={(each) => editTags([each])}
            />
          ))}
        </section>
      ))}
      {list.hasNextPage && (
        <Button
          size="sm"
          variant="ghost"
          className="mx-3"
          busy={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          Show more
        </Button>
      )}
      {tagsDialog}
    </>
  );
}

const folderLine =
  "mx-2 flex h-8 pointer-coarse:h-11 items-center gap-2 pr-1.5 pl-2.5 text-muted text-xs";

function partsOf(path: string): string[] {
  return path.split(/[/\\]/).filter((part) => part !== "");
}

/** A folder that shares its name shows the folder that it is in, too. */
function FolderLine({ path, isAlone }: { readonly path: string; readonly isAlone: boolean }) {
  const isOwn = useSpace() === null;
  const parts = partsOf(path);
  const name = parts.at(-1) ?? path;
  const offer = `New project for ${isolated(name)}`;
  return (
    <h4 className={folderLine}>
      <Folder aria-hidden className="size-3.5 shrink-0" />
      <bdi title={path} className="min-w-0 flex-1 truncate">
        {isAlone ? name : parts.slice(-2).join("/")}
      </bdi>
      {isOwn && (
        <Button size="sm" variant="ghost" asChild>
          <a href={newKeyFor.address(name)} aria-label={offer} {...tooltip({ label: offer })}>
            <FolderPlus aria-hidden />
          </a>
        </Button>
      )}
    </h4>
  );
}
