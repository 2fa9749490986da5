"use client";

import { ImageOff } from "lucide-react";
import { memo, type ReactNode, useContext, useEffect, useRef } from "react";
import { isolated } from "@/app/_ui/isolated";
import { citedPage } from "@/lib/chat/wire/knowledge";
import { CitedPages } from "./cited-pages";
import { hostOf, hostToShow, safeHref } from "./link-address";
import { TaskTicking } from "./task-ticking";
import { loadedFormulas } from "./use-formulas";

export interface AnchorProps {
  readonly href: string | undefined;
  readonly text: string;
  readonly children?: ReactNode;
}

export function Anchor({ href, text, children }: AnchorProps) {
  const CitedPage = useContext(CitedPages);
  const cited = href === undefined ? null : citedPage(href);
  if (cited && CitedPage)
    return (
      <CitedPage {...cited} text={text}>
        {children}
      </CitedPage>
    );
  const address = safeHref(href);
  if (!address) return <bdi>{children}</bdi>;
  const host = hostToShow(text, href);
  return (
    <>
      <a href={address} target="_blank" rel="noopener noreferrer nofollow">
        <bdi>{children}</bdi>
      </a>
      {host && <bdi className="text-muted"> ({host})</bdi>}
    </>
  );
}

export interface ImagePlaceholderProps {
  readonly src: string | undefined;
  readonly alt: string | null | undefined;
}

/** Loading an image would tell its host what is being read. */
export function ImagePlaceholder({ src, alt }: ImagePlaceholderProps) {
  const host = hostOf(src);
  return (
    <span className="image-placeholder">
      <ImageOff aria-hidden />
      <span>
        {alt ? `“${isolated(alt)}”: image` : "Image"}
        {host ? ` from ${host}` : ""} not loaded
      </span>
    </span>
  );
}

export function TaskBox({ checked }: { readonly checked: boolean }) {
  const onTick = useContext(TaskTicking);
  const ref = useRef<HTMLInputElement>(null);
  // Runs after each render, since the text beside it may have changed.
  useEffect(() => nameByItem(ref.current));
  return (
    <input
      ref={ref}
      type="checkbox"
      checked={checked}
      disabled={onTick === null}
      onChange={(event) => onTick?.(event.currentTarget)}
    />
  );
}

function nameByItem(box: HTMLInputElement | null): void {
  const [words = ""] = box?.parentElement?.textContent?.trim().split("\n") ?? [];
  box?.setAttribute("aria-label", words);
}

export interface FormulaProps {
  readonly source: string;
  readonly isDisplay: boolean;
}

export const Formula = memo(function Formula({ source, isDisplay }: FormulaProps) {
  const html = loadedFormulas()?.formulaHtml(source, { isDisplay }) ?? null;
  if (html === null) return <code dir="ltr">{source}</code>;
  // biome-ignore lint/security/noDangerouslySetInnerHtml: KaTeX escapes what it is given, and a tree of React elements takes 25 times as long
  return <span dir="ltr" dangerouslySetInnerHTML={{ __html: html }} />;
});
