"use client";

import {
  type QueryClient,
  useInfiniteQuery,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import { Blocks, FileText, MessageSquare, MessagesSquare, Trash2 } from "lucide-react";
import { useState } from "react";
import { api } from "@/app/_api/api";
import { Failure } from "@/app/_api/failure";
import { queryKeys } from "@/app/_api/query-keys";
import { useServerEvent } from "@/app/_api/server-events";
import { toastError } from "@/app/_api/toast-error";
import { blockTitle } from "@/app/_data/memory/block-words";
import { sessionTitle } from "@/app/_data/sessions/session-title";
import { SectionPending } from "@/app/_data/settings/section-pending";
import { Button } from "@/app/_ui/button";
import { Dialog } from "@/app/_ui/dialog";
import { countOf } from "@/app/_ui/format-amount";
import { isolated } from "@/app/_ui/isolated";
import { EmptyState } from "@/app/_ui/notice";
import { pageSpace } from "@/app/_ui/page-space";
import { dateWords, dayOf } from "@/app/_ui/reader-day";
import { RelativeTime } from "@/app/_ui/relative-time";
import { SettingsCard, SettingsSection } from "@/app/_ui/settings-section";
import { toastDone } from "@/app/_ui/toast";
import type { DeletedWire } from "@/lib/chat/wire/deletions";
import { DeletedProjects, daysLeft } from "./deleted-projects";

const icons = {
  session: MessagesSquare,
  messages: MessageSquare,
  block: Blocks,
  entry: FileText,
} as const;

export function DeletedSection() {
  const deletions = useDeletions();
  const [asked, setAsked] = useState<DeletedWire | null>(null);
  if (!deletions.data) return <SectionPending query={deletions} />;
  const all = deletions.data.pages.flatMap((page) => page.deletions);
  return (
    <SettingsSection
      title="Recently deleted"
      note="Restore chats, messages and memory before they are removed for good."
    >
      {pageSpace === null && <DeletedProjects />}
      <SettingsCard>
        {all.length === 0 ? (
          <EmptyState icon={<Trash2 aria-hidden />} title="Nothing deleted">
            What you delete waits here for a while.
          </EmptyState>
        ) : (
          <ul aria-label="Recently deleted" className="divide-y divide-line">
            {all.map((deleted) => (
              <DeletedRow key={deleted.id} deleted={deleted} onDelete={() => setAsked(deleted)} />
            ))}
          </ul>
        )}
      </SettingsCard>
      {deletions.hasNextPage && (
        <Button
          className="self-center"
          busy={deletions.isFetchingNextPage}
          onClick={() => void deletions.fetchNextPage()}
        >
          Show more
        </Button>
      )}
      {asked && <DeleteForGoodDialog deleted={asked} onClose={() => setAsked(null)} />}
    </SettingsSection>
  );
}

function DeletedRow({ deleted, onDelete }: { deleted: DeletedWire; onDelete: () => void }) {
  const restoring = useRestoreDeletion();
  const Icon = icons[deleted.kind];
  const title = deletedTitle(deleted);
  const restore = () =>
    restoring.mutate(deleted, {
      onSuccess: () => toastDone(`“${title}” restored.`),
      onError: toastError,
    });
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
      <Icon aria-hidden className="size-4 shrink-0 text-muted" />
      <div className="min-w-48 flex-1">
        <p className="line-clamp-2 font-medium text-sm [overflow-wrap:anywhere]">{title}</p>
        <p className="text-muted text-xs [overflow-wrap:anywhere]">{deletedKind(deleted)}</p>
        <p className="text-faint text-xs">
          Deleted <RelativeTime at={deleted.deletedAt} />
          {`\u00a0·\u00a0${daysLeft(deleted.goneAt)}, until `}
          <time dateTime={deleted.goneAt}>{dateWords(dayOf(new Date(deleted.goneAt)))}</time>
        </p>
      </div>
      <div className="ml-auto flex gap-2">
        <Button
          size="sm"
          variant="ghost"
          aria-label={`Delete for good: “${title}”`}
          onClick={onDelete}
        >
          Delete for good
        </Button>
        <Button
          size="sm"
          aria-label={`Restore “${title}”`}
          busy={restoring.isPending}
          onClick={restore}
        >
          Restore
        </Button>
      </div>
    </li>
  );
}

function DeleteForGoodDialog({ deleted, onClose }: { deleted: DeletedWire; onClose: () => void }) {
  const deleting = useDeleteForGood();
  const remove = () => deleting.mutate(deleted, { onSuccess: onClose });
  return (
    <Dialog
      onClose={onClose}
      title="Delete for good?"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="danger" busy={deleting.isPending} onClick={remove}>
            Delete for good
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <p className="text-muted text-sm [overflow-wrap:anywhere]">
          “{deletedTitle(deleted)}” cannot be restored afterwards.
        </p>
        <Failure of={deleting} />
      </div>
    </Dialog>
  );
}

function deletedTitle({ kind, title, label }: DeletedWire): string {
  if (kind === "session") return sessionTitle({ title });
  if (kind === "block") return blockTitle(label ?? "");
  return isolated(title) || "No text";
}

function deletedKind({ kind, count, label, key, sessionTitle: chat }: DeletedWire): string {
  const place = chat === null ? "" : ` in “${sessionTitle({ title: chat })}”`;
  if (kind === "session") return `Chat · ${countOf(count, "message")}`;
  if (kind === "messages") return `${countOf(count, "message")}${place}`;
  if (kind === "block") return `Memory section${place}`;
  const files = count > 1 ? ` with ${countOf(count - 1, "file")}` : "";
  return `Entry${files} of ${blockTitle(label ?? key ?? "")}${place}`;
}

function useDeletions() {
  const client = useQueryClient();
  useServerEvent(() => void reread(client));
  return useInfiniteQuery({
    queryKey: queryKeys.deletions,
    queryFn: ({ pageParam, signal }) =>
      api("GET /api/deletions", { query: { after: pageParam }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    staleTime: 0,
  });
}

function useRestoreDeletion() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: DeletedWire) =>
      api("POST /api/deletions/:deletionId/restore", { params: { deletionId: id } }),
    onSuccess: () => client.invalidateQueries(),
    onError: () => reread(client),
  });
}

function useDeleteForGood() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: DeletedWire) =>
      api("DELETE /api/deletions/:deletionId", { params: { deletionId: id } }),
    onSettled: () => reread(client),
  });
}

function reread(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: queryKeys.deletions });
}
