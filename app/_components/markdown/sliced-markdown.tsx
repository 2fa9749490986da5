"use client";

import { useEffect, useMemo, useState } from "react";
import { MarkdownBody } from "./markdown-body";
import { PlainText } from "./plain-text";
import { splitSections } from "./split-blocks";

const KEPT_TEXTS = 40;
const formatted = new Set<string>();

/**
 * Formats a long text section by section, so that no single step holds the page up; what is still to come is shown as it
 * is. Once done it stays done: a windowed list takes away and brings back what it shows, and a text that changed its
 * height each time would move under the reader.
 */
export function SlicedMarkdown({ text }: { text: string }) {
  const sections = useMemo(() => splitSections(text), [text]);
  const [count, setCount] = useState(() => (formatted.has(text) ? sections.length : 0));
  const isDone = count >= sections.length;
  useEffect(() => {
    if (isDone) return remember(text);
    const timer = setTimeout(() => setCount(count + 1));
    return () => clearTimeout(timer);
  }, [isDone, count, text]);
  return sections.map((section, index) => {
    const key = `${index}-${section.length}`;
    if (index < count) return <MarkdownBody key={key} text={section} isStreaming={false} />;
    return (
      <div key={key} className="prose">
        <PlainText text={section} />
      </div>
    );
  });
}

function remember(text: string): void {
  formatted.add(text);
  const oldest = formatted.values().next().value;
  if (formatted.size > KEPT_TEXTS && oldest !== undefined) formatted.delete(oldest);
}
