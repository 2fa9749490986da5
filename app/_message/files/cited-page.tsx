"use client";

import { useQuery } from "@tanstack/react-query";
import { FileText } from "lucide-react";
import { queryKeys } from "@/app/_api/query-keys";
import type { CitedPageProps } from "@/app/_ui/markdown/cited-pages";
import { citedPage, type NamedPage } from "@/lib/chat/wire/knowledge";
import { citedFile } from "./cited-files";
import { openedFile } from "./file-viewer-dialog";

/** Opens the page of a stored file with the passage that the words before it are about; text where there is none. */
export function CitedPage({ id, page, text, children }: CitedPageProps) {
  const { data: file } = useQuery({
    queryKey: queryKeys.fileFacts(id),
    queryFn: () => citedFile(id),
    staleTime: ({ state }) => (state.data ? Number.POSITIVE_INFINITY : 0),
  });
  if (!file) return <bdi>{children}</bdi>;
  const name = text.replace(/, p\. \d+$/, "");
  return (
    <button
      type="button"
      className="inline-flex max-w-full items-center gap-1 rounded-md bg-sunken px-1.5 text-left align-baseline text-sm hover:bg-hover"
      onClick={({ currentTarget }) => {
        const about = wordsBefore(currentTarget);
        openedFile.update(() => ({ file: { ...file, name }, page, about }));
      }}
    >
      <span className="sr-only">Open </span>
      <FileText aria-hidden className="size-3 shrink-0 text-faint" />
      <bdi className="truncate">{children}</bdi>
    </button>
  );
}

const wordsRead = 300;

function wordsBefore(citation: HTMLElement): string {
  const block = citation.closest("p, li, td, th, dd, blockquote");
  if (!block) return "";
  const range = document.createRange();
  range.setStart(block, 0);
  range.setEndBefore(citation);
  return range.toString().slice(-wordsRead);
}

export function NamedPages({ pages }: { readonly pages: readonly NamedPage[] }) {
  return (
    <ul className="flex flex-col gap-1.5">
      {pages.map((named, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an output's pages never change places
        <PageLine key={index} named={named} />
      ))}
    </ul>
  );
}

function PageLine({ named: { url, name, page, text } }: { readonly named: NamedPage }) {
  const cited = citedPage(url);
  const label = `${name}, p. ${page}`;
  return (
    <li>
      {cited && (
        <CitedPage id={cited.id} page={page} text={label}>
          {label}
        </CitedPage>
      )}
      {text && (
        <blockquote dir="auto" className="wrap-anywhere line-clamp-4 text-muted text-sm">
          {text}
        </blockquote>
      )}
    </li>
  );
}
