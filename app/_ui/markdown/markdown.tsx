"use client";

import { useMemo, useState } from "react";
import { preloadable } from "@/app/_ui/preloadable";
import { MarkdownBoundary } from "./markdown-boundary";
import { PlainText } from "./plain-text";
import { SLICED_WEIGHT, weightOf } from "./text-weight";
// Here and not with the formatter: what the server has formatted is shown before any script is there.
import "katex/dist/katex.min.css";
import "./markdown.css";

// Half of the JavaScript of a page with a conversation is the Markdown parser; pages without one do not fetch it.
const body = preloadable(
  () => import("./markdown-body").then((module) => module.MarkdownBody),
  Unformatted,
);
const sliced = preloadable(
  () => import("./sliced-markdown").then((module) => module.SlicedMarkdown),
  Unformatted,
);

/** Fetches the formatter before the first message needs it. Settles also when it cannot be fetched. */
export async function preloadMarkdown(): Promise<void> {
  await Promise.all([body.preload(), sliced.preload()]);
}

/** Whether the formatter is there, so that text can be shown in its final shape at once. */
export function isMarkdownLoaded(): boolean {
  return body.isLoaded() && sliced.isLoaded();
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
  // What was formatted while it was written stays so: beginning again with plain text would move the whole page.
  const [cameWhole] = useState(!isStreaming);
  const isSliced = useMemo(() => cameWhole && weightOf(text) > SLICED_WEIGHT, [cameWhole, text]);
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
