"use client";

import { useEffect, useMemo, useState } from "react";
import { useOnPaper } from "@/app/_ui/on-paper";
import { preloadable } from "@/app/_ui/preloadable";
import { MarkdownBoundary, PlainText } from "./plain-text";
import { SLICED_WEIGHT, weightOf } from "./text-weight";
// Server-formatted text is shown before any script has loaded.
import "katex/dist/katex.min.css";
import "./markdown.css";

const loadSliced = () => import("./sliced-markdown");
const body = preloadable(() => loadSliced().then((module) => module.MarkdownBody), Unformatted);
const sliced = preloadable(() => loadSliced().then((module) => module.SlicedMarkdown), Unformatted);

export async function preloadMarkdown(): Promise<void> {
  await Promise.all([body.preload(), sliced.preload()]);
}

export function isMarkdownLoaded(): boolean {
  return body.isLoaded() && sliced.isLoaded();
}

export function useMarkdownReady(): boolean {
  const [isReady, setReady] = useState(isMarkdownLoaded);
  useEffect(() => {
    void preloadMarkdown().then(() => setReady(true));
  }, []);
  return isReady;
}

export interface MarkdownProps {
  readonly text: string;
  readonly isStreaming?: boolean;
}

/**
 * Renders no raw HTML, no remote images, and links only to the web, to mail and, within `CitedPages`, to pages of files;
 * text that cannot be formatted is shown plain.
 */
export function Markdown({ text, isStreaming = false }: MarkdownProps) {
  // Text formatted while streaming stays formatted: plain text first would move the page.
  const [cameWhole] = useState(!isStreaming);
  const isOnPaper = useOnPaper();
  const isSliced = useMemo(
    () => cameWhole && !isOnPaper && weightOf(text) > SLICED_WEIGHT,
    [cameWhole, isOnPaper, text],
  );
  return (
    <MarkdownBoundary text={text}>
      {isSliced ? (
        <sliced.Component text={text} />
      ) : (
        <body.Component text={text} isStreaming={isStreaming} />
      )}
    </MarkdownBoundary>
  );
}

function Unformatted({ text }: { readonly text: string }) {
  return (
    <div className="prose">
      <PlainText text={text} />
    </div>
  );
}
