"use client";

import { memo, type ReactNode, useMemo } from "react";
import remend from "remend";
import { CodeBlock } from "./code-block";
import { readFence } from "./fence";
import { LongTable } from "./long-table";
import { normalizeMath } from "./math-text";
import { type ParseMarkdown, parseMarkdown } from "./parse-markdown";
import { MarkdownBoundary, PlainText } from "./plain-text";
import { renderMarkdown } from "./render-markdown";
import { isTooHeavy, splitBlocks } from "./split-blocks";
import { readLongTable } from "./table-text";
import { useFormulas } from "./use-formulas";

export interface MarkdownBodyProps {
  readonly text: string;
  readonly isStreaming: boolean;
}

/** Only blocks whose text changed are parsed again. */
export const MarkdownBody = memo(function MarkdownBody({ text, isStreaming }: MarkdownBodyProps) {
  const formulas = useFormulas(text);
  const blocks = useMemo(() => {
    const lines = text.replace(/\r\n?/g, "\n");
    const markdown = formulas ? normalizeMath(lines) : lines;
    return splitBlocks(isStreaming ? remend(markdown) : markdown);
  }, [formulas, text, isStreaming]);
  const parse = formulas?.parseWithFormulas ?? parseMarkdown;
  return (
    <div className="prose">
      <div>
        {blocks.map((block, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a growing text keeps the places of its blocks
          <Block key={index} text={block} parse={parse} />
        ))}
      </div>
    </div>
  );
});

interface BlockProps {
  readonly text: string;
  readonly parse: ParseMarkdown;
}

// While streaming, only the last block changes.
const Block = memo(function Block({ text, parse }: BlockProps): ReactNode {
  const fence = useMemo(() => readFence(text), [text]);
  const table = useMemo(() => (fence ? null : readLongTable(text)), [fence, text]);
  const tooHeavy = useMemo(() => !fence && !table && isTooHeavy(text), [fence, table, text]);
  if (fence) {
    return <CodeBlock code={fence.code} language={fence.language} isComplete={fence.isClosed} />;
  }
  if (tooHeavy) return <PlainText text={text} />;
  return (
    <MarkdownBoundary text={text}>
      {table ? <LongTable table={table} parse={parse} /> : <Parsed text={text} parse={parse} />}
    </MarkdownBoundary>
  );
});

/** Within the boundary, which catches what the parser throws. */
function Parsed({ text, parse }: BlockProps) {
  return useMemo(() => renderMarkdown(parse(text), text), [text, parse]);
}
