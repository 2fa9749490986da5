"use client";

import type { UseMutationResult, UseQueryResult } from "@tanstack/react-query";
import Link from "next/link";
import { useMemo, useState } from "react";
import { Failure } from "@/app/_api/failure";
import type { MemoryScope } from "@/app/_api/query-keys";
import { toastError } from "@/app/_api/toast-error";
import { authorName, blockTitle } from "@/app/_data/memory/block-words";
import { useBlockVersions, useWriteBlock } from "@/app/_data/memory/use-blocks";
import { messageAddress } from "@/app/_data/search/search-addresses";
import { DiffView } from "@/app/_message/memory/diff-view";
import { lineDiff } from "@/app/_message/memory/line-diff";
import { Button } from "@/app/_ui/button";
import { classNames } from "@/app/_ui/class-names";
import { Dialog } from "@/app/_ui/dialog";
import { ListSkeleton } from "@/app/_ui/loading";
import { RelativeTime } from "@/app/_ui/relative-time";
import { toastDone } from "@/app/_ui/toast";
import type { BlockWire, EntryDocumentWire, VersionWire } from "@/lib/chat/wire/memory";
import { useEntryVersions, useWriteEntry } from "./use-entries";

interface HistoryProps {
  sessionId: MemoryScope;
  onClose: () => void;
  onOpenLeaf: (messageId: string) => void;
}

export interface BlockHistoryProps extends HistoryProps {
  block: BlockWire;
}

export function BlockHistory({ block, ...props }: BlockHistoryProps) {
  const versions = useBlockVersions(props.sessionId, block.id);
  const writing = useWriteBlock(props.sessionId);
  return (
    <VersionHistory
      {...props}
      title={blockTitle(block.label)}
      versions={versions}
      writing={writing}
      changeTo={(change) => ({ blockId: block.id, ...change })}
    />
  );
}

export interface EntryHistoryProps extends HistoryProps {
  blockId: string;
  entry: EntryDocumentWire;
}

export function EntryHistory({ blockId, entry, ...props }: EntryHistoryProps) {
  const versions = useEntryVersions(props.sessionId, blockId, entry.key);
  const writing = useWriteEntry(props.sessionId);
  const { key, title } = entry;
  return (
    <VersionHistory
      {...props}
      title={title}
      versions={versions}
      writing={writing}
      changeTo={(change) => ({ blockId, key, title, ...change })}
    />
  );
}

interface VersionHistoryProps<Change> extends HistoryProps {
  title: string;
  versions: UseQueryResult<VersionWire[]>;
  writing: UseMutationResult<unknown, Error, Change>;
  changeTo: (change: { content: string; expectedVersion: number }) => Change;
}

function VersionHistory<Change>({
  title,
  versions: read,
  writing,
  changeTo,
  ...props
}: VersionHistoryProps<Change>) {
  const { data: versions } = read;
  function restore({ version, content }: VersionWire) {
    // The list behind may be older than the history shown here.
    const expectedVersion = versions?.[0]?.version ?? version;
    writing.mutate(changeTo({ content: content ?? "", expectedVersion }), {
      onSuccess: () => toastDone(`Version ${version} restored.`),
      onError: toastError,
    });
  }

  return (
    <Dialog
      onClose={props.onClose}
      title={`History of ${title}`}
      description="Restoring creates a new version."
      width="lg"
    >
      {versions && versions.length > 0 && (
        <Versions
          {...props}
          versions={versions}
          onRestore={restore}
          restoring={writing.isPending}
        />
      )}
      {versions?.length === 0 && <p className="text-muted text-sm">No versions yet.</p>}
      {!versions && !read.error && <ListSkeleton label="Loading versions" rows={5} />}
      {!versions && <Failure of={read} />}
    </Dialog>
  );
}

interface VersionsProps extends HistoryProps {
  versions: readonly VersionWire[];
  onRestore: (version: VersionWire) => void;
  restoring: boolean;
}

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
            <SameAs version={restoredVersion(versions, version)} />
            <RelativeTime at={version.createdAt} className="text-faint text-xs" />
          </button>
        </li>
      ))}
    </ol>
  );
}

function SameAs({ version }: { version: number | null }) {
  if (version === null) return null;
  return <span className="text-faint text-xs">Same text as version {version}</span>;
}

/** Finds the text that a restore copied. Versions come newest first. */
export function restoredVersion(
  versions: readonly Pick<VersionWire, "version" | "content">[],
  { version, content }: Pick<VersionWire, "version" | "content">,
): number | null {
  if (content === null) return null;
  const earlier = versions.filter((each) => each.version < version);
  return earlier.find((each) => each.content === content)?.version ?? null;
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
  const { messageId, author, program } = version;
  if (messageId === null) {
    if (author === "person") return "edited by you";
    return author === "program" ? `written by ${program}` : null;
  }
  const look = "text-accent underline underline-offset-4";
  if (version.sessionId !== null && version.sessionId !== sessionId) {
    return (
      <Link href={messageAddress(version.sessionId, messageId)} className={look} onClick={onClose}>
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
