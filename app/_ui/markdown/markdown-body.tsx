"use client";

import { memo, useMemo } from "react";
import { Block, type BlockProps, defaultRemarkPlugins, Streamdown } from "streamdown";
import { allowedTags } from "./allowed-tags";
import { BlockSource } from "./block-source";
import { CodeBlock } from "./code-block";
import { elements } from "./elements";
import { readFence } from "./fence";
import { keptParses } from "./kept-parses";
import { LongTable } from "./long-table";
import { normalizeMath } from "./math-text";
import { MarkdownBoundary, PlainText } from "./plain-text";
import { isTooHeavy, splitBlocks } from "./split-blocks";
import { readLongTable } from "./table-text";
import { useMathPlugin } from "./use-math-plugin";

// Without the plugin that parses raw HTML, all other tags are text.
const remarkPlugins = [
  ...Object.values(defaultRemarkPlugins),
  allowedTags,
  // A page keeps its elements; a server renders the same messages again and again.
  ...(typeof window === "undefined" ? [keptParses] : []),
];
const rehypePlugins: [] = [];
const linkSafety = { enabled: false };
// The prefix disables Streamdown's own classes.

export interface MarkdownBodyProps {
  readonly text: string;
  readonly isStreaming: boolean;
}

/** Only blocks whose text changed are parsed again. */
export const MarkdownBody = memo(function MarkdownBody({ text, isStreaming }: MarkdownBodyProps) {
  const math = useMathPlugin(text);
  const markdown = useMemo(() => (math ? normalizeMath(text) : text), [math, text]);
  const plugins = useMemo(() => (math ? { math } : {}), [math]);
  return (
    <div className="prose">
      <Streamdown
        mode="streaming"
        prefix="streamdown"
        parseIncompleteMarkdown={isStreaming}
        parseMarkdownIntoBlocksFn={splitBlocks}
        BlockComponent={GuardedBlock}
        components={elements}
        remarkPlugins={remarkPlugins}
        rehypePlugins={rehypePlugins}
        linkSafety={linkSafety}
        controls={false}
        plugins={plugins}
      >
        {markdown}
      </Streamdown>
    </div>
  );
});

// While streaming, only the last block changes.
const GuardedBlock = memo(function GuardedBlock(props: BlockProps) {
  const { content } = props;
  const fence = useMemo(() => readFence(content), [content]);
  const table = useMemo(() => (fence ? null : readLongTable(content)), [fence, content]);
  const tooHeavy = useMemo(() => !fence && !table && isTooHeavy(content), [fence, table, content]);
  if (fence) {
    return <CodeBlock code={fence.code} language={fence.language} isComplete={fence.isClosed} />;
  }
  if (tooHeavy) return <PlainText text={content} />;
  return (
    <MarkdownBoundary text={content}>
      {table ? (
        <LongTable table={table} block={props} />
      ) : (
        <BlockSource value={content}>
          <Block {...props} />
        </BlockSource>
      )}
    </MarkdownBoundary>
  );
}, isSameBlock);

function isSameBlock(before: BlockProps, after: BlockProps): boolean {
  return (
    before.content === after.content &&
    before.isIncomplete === after.isIncomplete &&
    before.remarkPlugins === after.remarkPlugins &&
    before.rehypePlugins === after.rehypePlugins
  );
}
