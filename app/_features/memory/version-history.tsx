"use client";

import Link from "next/link";
import { useMemo, useState } from "react";
import { errorSentence } from "@/app/_api/api-error";
import type { BlockScope } from "@/app/_api/query-keys";
import { Button } from "@/app/_ui/button";
import { classNames } from "@/app/_ui/class-names";
import { Dialog } from "@/app/_ui/dialog";
import { ListSkeleton } from "@/app/_ui/loading";
import { ErrorNotice } from "@/app/_ui/notice";
import { RelativeTime } from "@/app/_ui/relative-time";
import { toastDone, toastError } from "@/app/_ui/toast";
import type { BlockWire, EntryDocumentWire, VersionWire } from "@/lib/chat/wire/memory";
import { authorName, blockTitle } from "./block-words";
import { DiffView } from "./diff-view";
import { lineDiff } from "./line-diff";
import { useBlockVersions, useWriteBlock } from "./use-blocks";
import { useEntryVersions, useWriteEntry } from "./use-entries";

export interface BlockHistoryProps {
  sessionId: BlockScope;
  block: BlockWire;
  onClose: () => void;
  onOpenLeaf: (messageId: string) => void;
}

export function BlockHistory({ sessionId, block, onClose, onOpenLeaf }: BlockHistoryProps) {
  const versions = useBlockVersions(sessionId, block.id);
  const writing = useWriteBlock(sessionId);

  function restore({ version, content }: VersionWire) {
    writing.mutate(
      { blockId: block.id, content: content ?? "", expectedVersion: block.version },
      {
        onSuccess: () => toastDone(`Version ${version} restored.`),
        onError: (error) => toastError(error),
      },
    );
  }

  return (
    <VersionHistory
      title={blockTitle(block.label)}
      sessionId={sessionId}
      versions={versions.data}
      error={versions.error}
      onRetry={() => void versions.refetch()}
      onClose={onClose}
      onOpenLeaf={onOpenLeaf}
      onRestore={restore}
      restoring={writing.isPending}
    />
  );
}

export interface EntryHistoryProps {
  sessionId: BlockScope;
  blockId: string;
  entry: EntryDocumentWire;
  onClose: () => void;
  onOpenLeaf: (messageId: string) => void;
}

export function EntryHistory({
  sessionId,
  blockId,
  entry,
  onClose,
  onOpenLeaf,
}: EntryHistoryProps) {
  const versions = useEntryVersions(sessionId, blockId, entry.key);
  const writing = useWriteEntry(sessionId);

  function restore({ version, content }: VersionWire) {
    const { key, title, description } = entry;
    writing.mutate(
      {
        blockId,
        key,
        title,
        content: content ?? "",
        expectedVersion: entry.version,
        ...(description === null ? {} : { description }),
      },
      {
        onSuccess: () => toastDone(`Version ${version} restored.`),
        onError: (error) => toastError(error),
      },
    );
  }

  return (
    <VersionHistory
      title={entry.title}
      sessionId={sessionId}
      versions={versions.data}
      error={versions.error}
      onRetry={() => void versions.refetch()}
      onClose={onClose}
      onOpenLeaf={onOpenLeaf}
      onRestore={restore}
      restoring={writing.isPending}
    />
  );
}

interface VersionHistoryProps {
  title: string;
  sessionId: BlockScope;
  /** Newest first; `undefined` while loading. */
  versions: readonly VersionWire[] | undefined;
  error: unknown;
  onRetry: () => void;
  onClose: () => void;
  onOpenLeaf: (messageId: string) => void;
  onRestore: (version: VersionWire) => void;
  restoring: boolean;
}

function VersionHistory(props: VersionHistoryProps) {
  const { title, versions, error, onRetry, onClose } = props;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`History of ${title}`}
      description="Restoring creates a new version."
      width="lg"
    >
      {versions && versions.length > 0 && <Versions {...props} versions={versions} />}
      {versions?.length === 0 && <p className="text-muted text-sm">No versions yet.</p>}
      {!versions && !error && <ListSkeleton label="Loading versions" rows={5} />}
      {!versions && Boolean(error) && (
        <ErrorNotice onRetry={onRetry}>{errorSentence(error)}</ErrorNotice>
      )}
    </Dialog>
  );
}

type VersionsProps = VersionHistoryProps & { versions: readonly VersionWire[] };

function Versions(props: VersionsProps) {
  const { versions } = props;
  const [chosen, setChosen] = useState<number | null>(null);
  const index = Math.max(
    0,
    versions.findIndex((version) => version.version === chosen),
  );
  const version = versions[index];
  if (!version) return null;
  return (
    <div className="flex flex-col gap-4 sm:flex-row">
      <VersionList {...props} shown={version} onChoose={setChosen} />
      <VersionDetail
        {...props}
        version={version}
        before={versions[index + 1] ?? null}
        isNewest={index === 0}
      />
    </div>
  );
}

interface VersionListProps {
  versions: readonly VersionWire[];
  shown: VersionWire;
  onChoose: (version: number) => void;
}

function VersionList({ versions, shown, onChoose }: VersionListProps) {
  return (
    <ol
      aria-label="Versions, newest first"
      className="max-h-40 shrink-0 overflow-y-auto sm:max-h-[60dvh] sm:w-52"
    >
      {versions.map((version) => (
        <li key={version.version}>
          <button
            type="button"
            aria-current={version === shown}
            onClick={() => onChoose(version.version)}
            className={classNames(
              "flex w-full flex-col rounded-md px-3 py-1.5 text-left text-sm -outline-offset-2 hover:bg-hover",
              version === shown && "bg-accent-soft",
            )}
          >
            <span className="font-medium">
              Version {version.version} · {authorName(version)}
            </span>
            <RelativeTime at={version.createdAt} className="text-faint text-xs" />
          </button>
        </li>
      ))}
    </ol>
  );
}

type VersionDetailProps = VersionsProps & {
  version: VersionWire;
  before: VersionWire | null;
  isNewest: boolean;
};

function VersionDetail(props: VersionDetailProps) {
  const { version, before, isNewest, onRestore, restoring } = props;
  const lines = useMemo(
    () => lineDiff(before?.content ?? "", version.content ?? ""),
    [before, version],
  );
  return (
    <div className="flex min-w-0 flex-1 flex-col gap-3">
      <p className="text-muted text-sm">
        {version.content === null
          ? "This version deleted the text."
          : `Version ${version.version}:`}{" "}
        <VersionSource {...props} />
      </p>
      <DiffView lines={lines} label={`Changes in version ${version.version}`} />
      {!isNewest && version.content !== null && (
        <Button className="self-start" busy={restoring} onClick={() => onRestore(version)}>
          Restore version {version.version}
        </Button>
      )}
    </div>
  );
}

function VersionSource({ version, sessionId, onOpenLeaf, onClose }: VersionDetailProps) {
  const { messageId, author } = version;
  if (messageId === null) return author === "person" ? "edited by you" : null;
  const look = "text-accent underline underline-offset-4";
  if (version.sessionId !== null && version.sessionId !== sessionId) {
    const address = `/s/${encodeURIComponent(version.sessionId)}?hit=${encodeURIComponent(messageId)}`;
    return (
      <Link href={address} className={look} onClick={onClose}>
        edited in another chat
      </Link>
    );
  }
  const show = () => {
    onClose();
    onOpenLeaf(messageId);
  };
  return (
    <button type="button" className={look} onClick={show}>
      show the message that changed it
    </button>
  );
}
