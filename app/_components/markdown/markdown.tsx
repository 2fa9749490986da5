"use client";

import { lazy, Suspense, useEffect, useState } from "react";
import { MarkdownBoundary } from "./markdown-boundary";
import { PlainText } from "./plain-text";

// Half of the JavaScript of a page with a conversation is the Markdown parser; pages without one do not fetch it.
const loadBody = () =>
  import("./markdown-body").then((module) => ({ default: module.MarkdownBody }));
const MarkdownBody = lazy(loadBody);
const SlicedMarkdown = lazy(() =>
  import("./sliced-markdown").then((module) => ({ default: module.SlicedMarkdown })),
);

/** Texts longer than this are first shown unformatted and formatted in slices between other work. */
const SLICED_LENGTH = 24_000;

let isLoaded = false;

/** Fetches the formatter before the first message needs it. Settles also when it cannot be fetched. */
export async function preloadMarkdown(): Promise<void> {
  await loadBody().catch(() => null);
  isLoaded = true;
}

/** Whether the formatter is there, so that text can be shown in its final shape at once. */
export function useMarkdownLoaded(): boolean {
  const [isReady, setIsReady] = useState(isLoaded);
  useEffect(() => {
    void preloadMarkdown().then(() => setIsReady(true));
  }, []);
  return isReady;
}

export interface MarkdownProps {
  readonly text: string;
  /** While it is being written: unfinished marks are closed for show. */
  readonly isStreaming?: boolean;
}

/**
 * What a model wrote, formatted: no raw HTML, no pictures from elsewhere, links only to the web and to mail. Whatever
 * cannot be formatted is shown as the text it is.
 */
export function Markdown({ text, isStreaming = false }: MarkdownProps) {
  const plain = (
    <div className="prose">
      <PlainText text={text} />
    </div>
  );
  return (
    <MarkdownBoundary text={text}>
      <Suspense fallback={plain}>
        {text.length > SLICED_LENGTH && !isStreaming ? (
          <SlicedMarkdown text={text} />
        ) : (
          <MarkdownBody text={text} isStreaming={isStreaming} />
        )}
      </Suspense>
    </MarkdownBoundary>
  );
}
