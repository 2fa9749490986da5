"use client";

import { useQuery } from "@tanstack/react-query";
import { CircleAlert, FileText, Paperclip, RotateCw, X } from "lucide-react";
import { useEffect, useState } from "react";
import { api } from "@/app/_api/api";
import { queryKeys } from "@/app/_api/query-keys";
import {
  type Attachment,
  type Attachments,
  attachmentsOf,
  describe,
  detach,
  localFile,
  noteFacts,
  retryUpload,
  storedFiles,
} from "@/app/_data/files/attachments";
import { fileAddress, fileLine, fileSize } from "@/app/_data/files/file-words";
import { Button, IconButton } from "@/app/_ui/button";
import { classNames } from "@/app/_ui/class-names";
import { useStore } from "@/app/_ui/store";
import { fileKind } from "@/lib/chat/wire/files";
import { FileViewer } from "./file-viewer-dialog";

export function useAttachments(draftKey: string): Attachments {
  return useStore(attachmentsOf(draftKey));
}

export interface AttachmentListProps {
  readonly draftKey: string;
  readonly onInline: (text: string) => void;
}

export function AttachmentList({ draftKey, onInline }: AttachmentListProps) {
  const attachments = useAttachments(draftKey);
  const [openId, setOpenId] = useState<string | null>(null);
  const open = attachments.find(({ id }) => id === openId);
  if (attachments.length === 0) return null;
  return (
    <>
      <ul
        aria-label="Attached files"
        className="flex max-h-56 flex-wrap gap-2 overflow-y-auto px-3 pt-3"
      >
        {attachments.map((attachment) => (
          <AttachmentChip
            key={attachment.id}
            draftKey={draftKey}
            attachment={attachment}
            onOpen={() => setOpenId(attachment.id)}
            onRetry={() => retryUpload(draftKey, attachment.id)}
            onRemove={() => detach(draftKey, attachment.id)}
          />
        ))}
      </ul>
      {open && (
        <FileViewer
          files={storedFiles([open])}
          draft={{
            key: draftKey,
            id: open.id,
            onAlt: (alt) => describe(draftKey, open.id, alt),
            onInline,
          }}
          onClose={() => setOpenId(null)}
        />
      )}
    </>
  );
}

interface AttachmentChipProps {
  readonly draftKey: string;
  readonly attachment: Attachment;
  readonly onOpen: () => void;
  readonly onRetry: () => void;
  readonly onRemove: () => void;
}

function AttachmentChip({ draftKey, attachment, onOpen, onRetry, onRemove }: AttachmentChipProps) {
  const { name, state } = attachment;
  useReading(draftKey, attachment);
  const isFailed = state.kind === "failed";
  const problem = state.kind === "stored" ? state.file.problem : undefined;
  return (
    <li
      className={classNames(
        "flex min-w-0 max-w-full items-center gap-2 rounded-lg border bg-paper py-1.5 pr-1 pl-1.5 text-sm sm:max-w-80",
        isFailed || problem ? "border-danger/60" : "border-line",
      )}
    >
      <button
        type="button"
        disabled={state.kind !== "stored"}
        onClick={onOpen}
        className="flex pointer-coarse:min-h-9 min-w-0 items-center gap-2 rounded-md text-left enabled:hover:text-accent"
      >
        <span className="sr-only">Open </span>
        <ChipPicture attachment={attachment} />
        <span className="flex min-w-0 flex-col">
          <span dir="auto" className="truncate text-ink" title={name}>
            {name}
          </span>
          <ChipStatus attachment={attachment} />
        </span>
      </button>
      {isFailed && state.canRetry && (
        <Button size="sm" variant="ghost" onClick={onRetry}>
          <RotateCw aria-hidden />
          Retry
        </Button>
      )}
      <IconButton
        label={state.kind === "uploading" ? `Cancel ${name}` : `Remove ${name}`}
        size="xs"
        tooltip="top"
        onClick={onRemove}
      >
        <X aria-hidden />
      </IconButton>
    </li>
  );
}

const readingSeenMs = 1_500;

function useReading(draftKey: string, { id, state }: Attachment): void {
  const unread = state.kind === "stored" && state.file.unread ? state.file.sha256 : null;
  const facts = useQuery({
    queryKey: queryKeys.fileFacts(unread ?? ""),
    queryFn: ({ signal }) =>
      api("GET /api/files/:sha256/facts", { params: { sha256: unread ?? "" }, signal }),
    enabled: unread !== null,
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data && !data.unread ? false : readingSeenMs),
  });
  useEffect(() => {
    if (unread !== null && facts.data?.sha256 === unread && !facts.data.unread)
      noteFacts(draftKey, id, facts.data);
  }, [draftKey, id, unread, facts.data]);
}

function ChipStatus({ attachment: { size, state } }: { attachment: Attachment }) {
  if (state.kind === "failed") return <Problem>{state.reason}</Problem>;
  if (state.kind === "stored") {
    const { problem } = state.file;
    if (problem) return <Problem>{problem}</Problem>;
    if (state.file.unread)
      return <span className="truncate text-faint text-xs">{fileSize(size)} · Being read…</span>;
    return <span className="truncate text-faint text-xs">{fileLine(state.file)}</span>;
  }
  const percent = Math.floor(state.share * 100);
  const words = percent < 100 ? `${percent}% of ${fileSize(size)}` : "Reading…";
  return (
    <span className="flex items-center gap-2 text-faint text-xs tabular-nums">
      <progress
        aria-label="Upload"
        className="h-1 w-16 accent-accent"
        max={100}
        {...(percent < 100 && { value: percent })}
      />
      {words}
    </span>
  );
}

function Problem({ children }: { children: string }) {
  return (
    <span role="alert" className="wrap-anywhere text-danger text-xs">
      {children}
    </span>
  );
}

const pictureLook = "size-10 shrink-0 rounded-md border border-line";

function ChipPicture({ attachment }: { attachment: Attachment }) {
  const { id, state, mediaType, text } = attachment;
  const preview = usePreview(id, mediaType);
  const isImage = fileKind({ mediaType }) === "image";
  const source =
    preview ?? (state.kind === "stored" ? fileAddress({ ...state.file, name: "" }) : null);
  if (isImage && source && state.kind !== "failed") {
    // biome-ignore lint/performance/noImgElement: a file of the person's own, which Next does not optimize
    return <img src={source} alt="" decoding="async" className={`${pictureLook} object-cover`} />;
  }
  const Icon = state.kind === "failed" ? CircleAlert : text === undefined ? Paperclip : FileText;
  return (
    <span className={`${pictureLook} flex items-center justify-center bg-sunken text-faint`}>
      <Icon aria-hidden className="size-4" />
    </span>
  );
}

/** The server need not send an image of this tab back. */
function usePreview(id: string, mediaType: string): string | null {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    const file = localFile(id);
    if (!file || fileKind({ mediaType }) !== "image") return;
    const made = URL.createObjectURL(file);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [id, mediaType]);
  return address;
}
