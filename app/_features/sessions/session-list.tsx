"use client";

import { useMemo, useState } from "react";
import { VList, type VListHandle } from "virtua";
import { Failure } from "@/app/_api/failure";
import type { SessionListFilter } from "@/app/_api/query-keys";
import { type KnownTag, useOpenSessionId, useSessions } from "@/app/_data/sessions/use-sessions";
import { isolated } from "@/app/_ui/isolated";
import { Skeleton } from "@/app/_ui/loading";
import { EmptyState } from "@/app/_ui/notice";
import { useReadsOnly } from "@/app/_ui/reads-only";
import type { SessionWire } from "@/lib/chat/wire/sessions";
import { SelectionBar } from "./selection-bar";
import { SessionRow } from "./session-row";
import { useSelection } from "./use-selection";
import { useSessionActions } from "./use-session-actions";
import { useTagsDialog } from "./use-tags-dialog";

export interface SessionListProps {
  filter: SessionListFilter;
  knownTags: readonly KnownTag[];
}

export function SessionList({ filter, knownTags }: SessionListProps) {
  const list = useSessions(filter);
  const { sessions, hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const lines = useMemo(() => groupSessions(sessions, new Date()), [sessions]);
  const listed = lines.flatMap((line) => (line.type === "session" ? [line.session] : []));
  const titles = useMemo(() => new Map(sessions.map(({ id, title }) => [id, title])), [sessions]);
  const openId = useOpenSessionId();
  const actions = useSessionActions();
  const { editTags, tagsDialog } = useTagsDialog(knownTags, actions);
  const selection = useSelection(listed, openId);
  const { selected } = selection;
  const readsOnly = useReadsOnly();
  const [handle, setHandle] = useState<VListHandle | null>(null);

  const readMore = () => {
    if (!handle || !hasNextPage || isFetchingNextPage) return;
    const { scrollOffset, viewportSize, scrollSize } = handle;
    if (scrollOffset + 2 * viewportSize > scrollSize) void fetchNextPage();
  };

  if (list.isPending) return <SessionListSkeleton />;
  if (list.isError && sessions.length === 0) {
    return <Failure of={list} className="mx-3 mt-2" />;
  }
  if (lines.length === 0) return <EmptyList filter={filter} />;

  const row = (line: SessionLine) =>
    line.type === "heading" ? (
      <h3 key={line.group} className="px-4.5 pt-4 pb-1.5 font-medium text-faint text-xs">
        {line.group}
      </h3>
    ) : (
      <SessionRow
        key={line.session.id}
        session={line.session}
        parentTitle={titles.get(line.session.parentSessionId ?? "") ?? null}
        isOpen={line.session.id === openId}
        actions={actions}
        onEditTags={(session) => editTags([session])}
        {...(!readsOnly && { selection: selection.rowOf(line.session.id) })}
      />
    );
  const activeLine = lines.findIndex(
    (line) => line.type === "session" && line.session.id === selection.activeId,
  );

  return (
    <div className="flex h-full flex-col" {...(!readsOnly && { onKeyDown: selection.onKeyDown })}>
      <VList
        ref={setHandle}
        data={lines}
        itemSize={36}
        bufferSize={400}
        keepMounted={[activeLine]}
        onScroll={readMore}
        onFocus={selection.onFocus}
        className="min-h-0 flex-1 pb-3"
      >
        {row}
      </VList>
      {selected.length > 0 && (
        <SelectionBar
          sessions={selected}
          isArchive={filter.archived}
          actions={actions}
          onTag={() => editTags(selected)}
          onDone={selection.end}
        />
      )}
      {tagsDialog}
    </div>
  );
}

function EmptyList({ filter }: { filter: SessionListFilter }) {
  const words = useReadsOnly() ? null : "Send a message to start one.";
  if (filter.tag !== null)
    return <EmptyState title={`No chats tagged “${isolated(filter.tag)}”`} />;
  if (filter.archived) {
    return <EmptyState title="No archived chats">Chats you archive appear here.</EmptyState>;
  }
  return <EmptyState title="No chats yet">{words}</EmptyState>;
}

const widths = ["w-4/5", "w-3/5", "w-11/12", "w-2/3", "w-3/4", "w-1/2", "w-5/6"] as const;

function SessionListSkeleton() {
  return (
    <div role="status" aria-label="Loading chats" className="px-4.5 pt-4">
      <Skeleton className="mb-3 h-3 w-14" />
      {widths.map((width) => (
        <div key={width} className="flex h-9 items-center">
          <Skeleton className={`h-3.5 ${width}`} />
        </div>
      ))}
    </div>
  );
}

type ListGroup = "Pinned" | "Today" | "Yesterday" | "Last 7 days" | "Older";

type SessionLine =
  | { type: "heading"; group: ListGroup }
  | { type: "session"; session: SessionWire };

const groups: readonly ListGroup[] = ["Pinned", "Today", "Yesterday", "Last 7 days", "Older"];

export function groupSessions(sessions: readonly SessionWire[], now: Date): SessionLine[] {
  const grouped = Map.groupBy(sessions, (session) => groupOf(session, now));
  return groups.flatMap((group) => {
    const members = grouped.get(group);
    if (!members) return [];
    const lines = members
      .toSorted((a, b) => b.updatedAt.localeCompare(a.updatedAt))
      .map((session) => ({ type: "session" as const, session }));
    return [{ type: "heading" as const, group }, ...lines];
  });
}

function groupOf(session: SessionWire, now: Date): ListGroup {
  if (session.pinned) return "Pinned";
  const at = new Date(session.updatedAt);
  if (at >= dayStart(now, 0)) return "Today";
  if (at >= dayStart(now, 1)) return "Yesterday";
  return at >= dayStart(now, 7) ? "Last 7 days" : "Older";
}

/** Days around a clock change are not 24 hours long. */
function dayStart(now: Date, daysAgo: number): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo);
}
