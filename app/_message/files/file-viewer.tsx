"use client";

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import {
  ArrowDownToLine,
  ChevronLeft,
  ChevronRight,
  ExternalLink,
  Eye,
  FileText,
  TextCursorInput,
} from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import { api } from "@/app/_api/api";
import { answerError, errorSentence } from "@/app/_api/api-error";
import { pageFetch } from "@/app/_api/page-person";
import { queryKeys } from "@/app/_api/query-keys";
import { attachText, detach } from "@/app/_data/files/attachments";
import { fileAddress, fileLine, typeName } from "@/app/_data/files/file-words";
import { passageAbout } from "@/app/_data/files/passage";
import { Button } from "@/app/_ui/button";
import { Dialog } from "@/app/_ui/dialog";
import { InputField, Textarea } from "@/app/_ui/fields";
import { Spinner } from "@/app/_ui/loading";
import { ErrorNotice } from "@/app/_ui/notice";
import { previewKindOf } from "@/app/_ui/preview/open-preview";
import { type PreviewKind, PreviewView } from "@/app/_ui/preview/preview-panel";
import { type AttachedFile, fileKind, maxAltText } from "@/lib/chat/wire/files";

export interface DraftFile {
  readonly key: string;
  readonly id: string;
  readonly onAlt: (alt: string) => void;
  readonly onInline: (text: string) => void;
}

export interface FileViewerProps {
  readonly files: readonly AttachedFile[];
  readonly startAt?: number;
  readonly page?: number;
  readonly about?: string;
  readonly draft?: DraftFile;
  readonly onClose: () => void;
}

export function FileViewer(props: FileViewerProps) {
  const { files, startAt = 0, page, about, draft, onClose } = props;
  const [at, setAt] = useState(startAt);
  const file = files[at];
  const [previewedAt, setPreviewedAt] = useState<number | null>(null);
  if (!file) return null;
  const kind = fileKind(file);
  const previewKind = previewKindOfFile(file);
  const isPreviewed = previewedAt === at && previewKind !== undefined;
  return (
    <Dialog
      onClose={onClose}
      title={file.name}
      description={`${typeName(file.mediaType)} · ${fileLine(file)}`}
      width="xl"
      footer={
        <>
          {files.length > 1 && <Stepper at={at} count={files.length} onStep={setAt} />}
          {previewKind && (
            <Button onClick={() => setPreviewedAt(isPreviewed ? null : at)}>
              {isPreviewed ? <FileText aria-hidden /> : <Eye aria-hidden />}
              {isPreviewed ? "Text" : "Preview"}
            </Button>
          )}
          {draft && kind === "text" && <PutInline file={file} draft={draft} onDone={onClose} />}
          {(kind === "image" || kind === "pdf") && (
            <Button asChild>
              <a href={fileAddress(file)} target="_blank" rel="noopener noreferrer">
                <ExternalLink aria-hidden />
                Open in new tab
              </a>
            </Button>
          )}
          <Button asChild>
            <a href={fileAddress(file)} download={file.name}>
              <ArrowDownToLine aria-hidden />
              Download
            </a>
          </Button>
        </>
      }
    >
      {file.problem && <ErrorNotice>{file.problem}</ErrorNotice>}
      {kind === "image" && <Picture file={file} draft={draft} />}
      {file.unread && <p className="text-muted text-sm">This file is being read.</p>}
      {isPreviewed && (
        <FilePreview
          key={file.sha256}
          file={file}
          kind={previewKind}
          onStop={() => setPreviewedAt(null)}
        />
      )}
      {kind !== "image" && !file.problem && !file.unread && !isPreviewed && (
        <TextOfFile key={file.sha256} {...{ file, page, about, draft }} onDone={onClose} />
      )}
    </Dialog>
  );
}

function Stepper(props: { at: number; count: number; onStep: (at: number) => void }) {
  const { at, count, onStep } = props;
  return (
    <span className="mr-auto flex items-center gap-1 text-muted text-sm tabular-nums">
      <Button variant="ghost" disabled={at === 0} onClick={() => onStep(at - 1)}>
        <ChevronLeft aria-hidden />
        <span className="sr-only">Previous file</span>
      </Button>
      {at + 1} / {count}
      <Button variant="ghost" disabled={at === count - 1} onClick={() => onStep(at + 1)}>
        <ChevronRight aria-hidden />
        <span className="sr-only">Next file</span>
      </Button>
    </span>
  );
}

function Picture({ file, draft }: { file: AttachedFile; draft: DraftFile | undefined }) {
  const [alt, setAlt] = useState(file.alt ?? "");
  return (
    <div className="flex flex-col gap-4">
      {/* biome-ignore lint/performance/noImgElement: a file of the person's own, which Next does not optimize */}
      <img
        src={fileAddress(file)}
        alt={file.alt ?? file.name}
        className="mx-auto max-h-[60dvh] max-w-full rounded-lg bg-sunken object-contain"
      />
      {draft ? (
        <InputField
          label="Description"
          optional
          hint="For those who cannot see the image, and for models that take none."
          maxLength={maxAltText}
          value={alt}
          onChange={({ target }) => {
            setAlt(target.value);
            draft.onAlt(target.value);
          }}
        />
      ) : (
        file.alt && <p className="text-muted text-sm">{file.alt}</p>
      )}
    </div>
  );
}

const mostPreviewedBytes = 2_000_000;

function previewKindOfFile({ name, size }: AttachedFile): PreviewKind | undefined {
  const ending = name.split(".").at(-1)?.toLowerCase() ?? "";
  const language = { htm: "html", mmd: "mermaid" }[ending] ?? ending;
  return size > mostPreviewedBytes ? undefined : previewKindOf(language);
}

interface FilePreviewProps {
  readonly file: AttachedFile;
  readonly kind: PreviewKind;
  readonly onStop: () => void;
}

function FilePreview({ file, kind, onStop }: FilePreviewProps) {
  const { data, error } = useQuery({
    queryKey: queryKeys.fileSource(file.sha256),
    queryFn: async ({ signal }) => {
      const response = await pageFetch(fileAddress(file), { signal });
      if (response.ok) return response.text();
      throw answerError(response.status, await response.json().catch(() => null));
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (error) return <ErrorNotice>{errorSentence(error)}</ErrorNotice>;
  if (data === undefined) return <Spinner />;
  return (
    <div className="preview-large h-[65dvh]">
      <PreviewView kind={kind} code={data} place="large" onStop={onStop}>
        {null}
      </PreviewView>
    </div>
  );
}

const pagesAtOnce = 20;

function useFilePages(sha256: string, from: number) {
  return useInfiniteQuery({
    queryKey: queryKeys.filePages(sha256, from),
    queryFn: ({ pageParam, signal }) =>
      api("GET /api/files/:sha256/pages", {
        params: { sha256 },
        query: { from: pageParam, limit: pagesAtOnce },
        signal,
      }),
    initialPageParam: from,
    getNextPageParam: ({ pages }) => {
      const last = pages.at(-1);
      return last && pages.length === pagesAtOnce ? last.page + 1 : undefined;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}

interface TextOfFileProps {
  readonly file: AttachedFile;
  readonly page: number | undefined;
  readonly about: string | undefined;
  readonly draft: DraftFile | undefined;
  readonly onDone: () => void;
}

function TextOfFile({ file, page = 1, about = "", draft, onDone }: TextOfFileProps) {
  const [from, setFrom] = useState(page);
  const { data, error, isLoading, hasNextPage, fetchNextPage, isFetchingNextPage } = useFilePages(
    file.sha256,
    from,
  );
  const [isEditing, setIsEditing] = useState(false);
  const found = useRef<HTMLElement>(null);
  const isReady = data !== undefined;
  useEffect(() => {
    const mark = found.current?.querySelector("mark");
    if (isReady && mark) mark.scrollIntoView({ block: "center" });
    else if (isReady && page > 1) found.current?.scrollIntoView({ block: "start" });
  }, [isReady, page]);
  if (isLoading) return <Spinner />;
  if (error) return <ErrorNotice>{errorSentence(error)}</ErrorNotice>;
  const pages = data?.pages.flatMap((each) => each.pages) ?? [];
  const isPaged = (file.pages ?? 1) > 1;
  const [only] = pages;
  if (!only) return <p className="text-muted text-sm">No text can be read in this file.</p>;
  if (isEditing && draft)
    return <TextEditor text={only.text} file={file} draft={draft} onDone={onDone} />;
  return (
    <div className="flex flex-col gap-4">
      {from > 1 && (
        <Button size="sm" className="self-center" onClick={() => setFrom(1)}>
          Show earlier pages
        </Button>
      )}
      {pages.map(({ page: number, title, text }) => (
        <section key={number} ref={number === page ? found : null} aria-label={`Page ${number}`}>
          {(isPaged || title) && (
            <h3 className="mb-1 font-medium text-faint text-xs">
              {title || `Page ${number} of ${file.pages ?? pages.length}`}
            </h3>
          )}
          <pre
            dir="auto"
            className="wrap-anywhere whitespace-pre-wrap rounded-lg bg-sunken p-4 font-mono text-sm leading-relaxed"
          >
            {number === page && about !== "" ? <MarkedPassage text={text} about={about} /> : text}
          </pre>
        </section>
      ))}
      {hasNextPage && (
        <Button
          className="self-center"
          busy={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          Show more pages
        </Button>
      )}
      {draft && !isPaged && file.mediaType === "text/plain" && (
        <Button size="sm" className="self-start" onClick={() => setIsEditing(true)}>
          Edit text
        </Button>
      )}
    </div>
  );
}

function MarkedPassage({ text, about }: { text: string; about: string }) {
  const [start, end] = passageAbout(text, about) ?? [0, 0];
  return (
    <>
      {text.slice(0, start)}
      {end > start && <mark>{text.slice(start, end)}</mark>}
      {text.slice(end)}
    </>
  );
}

interface TextEditorProps {
  readonly text: string;
  readonly file: AttachedFile;
  readonly draft: DraftFile;
  readonly onDone: () => void;
}

function TextEditor({ text, file, draft, onDone }: TextEditorProps) {
  const id = useId();
  const [value, setValue] = useState(text);
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        // React passes the event on to the composer's form, which would send.
        event.stopPropagation();
        if (value !== text) {
          detach(draft.key, draft.id);
          attachText(draft.key, value, file.name);
        }
        onDone();
      }}
    >
      <Textarea
        id={id}
        aria-label={`Text of ${file.name}`}
        dir="auto"
        rows={12}
        maxRows={24}
        className="font-mono"
        value={value}
        onChange={({ target }) => setValue(target.value)}
      />
      <Button type="submit" variant="primary" className="self-end" disabled={value === ""}>
        Save text
      </Button>
    </form>
  );
}

interface PutInlineProps {
  readonly file: AttachedFile;
  readonly draft: DraftFile;
  readonly onDone: () => void;
}

function PutInline({ file, draft, onDone }: PutInlineProps) {
  const [problem, setProblem] = useState<string | null>(null);
  async function put() {
    try {
      const query = { from: 1, limit: 1 };
      const { pages } = await api("GET /api/files/:sha256/pages", {
        params: { sha256: file.sha256 },
        query,
      });
      draft.onInline(pages[0]?.text ?? "");
      detach(draft.key, draft.id);
      onDone();
    } catch (error) {
      setProblem(errorSentence(error));
    }
  }
  if ((file.pages ?? 1) > 1) return null;
  return (
    <>
      {problem && <ErrorNotice>{problem}</ErrorNotice>}
      <Button onClick={() => void put()}>
        <TextCursorInput aria-hidden />
        Put in message
      </Button>
    </>
  );
}
