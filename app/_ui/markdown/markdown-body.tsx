"use client";

import { createElement, memo, type ReactNode, useMemo, useState } from "react";
import remend from "remend";
import { CodeBlock } from "./code-block";
import { definitionsFor, definitionsIn } from "./definitions";
import { readFence } from "./fence";
import { HeavyText } from "./heavy-text";
import { innerText, type MarkdownBlock } from "./light-blocks";
import { LongTable } from "./long-table";
import { normalizeMath } from "./math-text";
import { type ParseMarkdown, parseMarkdown } from "./parse-markdown";
import { MarkdownBoundary } from "./plain-text";
import { continued, type MarkdownPlace, renderMarkdown } from "./render-markdown";
import { isShownPlain, splitBlocks } from "./split-blocks";
import { readLongTable } from "./table-text";
import { useFormulas } from "./use-formulas";

export interface MarkdownBodyProps {
  readonly text: string;
  readonly isStreaming: boolean;
}

export const MarkdownBody = memo(function MarkdownBody({ text, isStreaming }: MarkdownBodyProps) {
  const lines = useMemo(() => text.replace(/\r\n?/g, "\n"), [text]);
  const blocks = useMemo(() => splitBlocks(lines), [lines]);
  return <MarkdownBlocks text={lines} blocks={blocks} isStreaming={isStreaming} />;
});

export interface MarkdownBlocksProps extends MarkdownBodyProps {
  readonly blocks: readonly MarkdownBlock[];
  readonly definitions?: ReadonlyMap<string, string>;
}

export function MarkdownBlocks({ text, blocks, isStreaming, ...whole }: MarkdownBlocksProps) {
  const formulas = useFormulas(text);
  const own = useMemo(() => definitionsIn(text), [text]);
  const definitions = whole.definitions ?? own;
  const reading = formulas ? withFormulas(formulas.parseWithFormulas) : withoutFormulas;
  const isContinued = blocks[0]?.isContinued === true;
  return (
    <div className={isContinued ? "prose prose-continued" : "prose"}>
      <div>
        {blocks.map((block, index) => (
          <FormattedBlock
            // biome-ignore lint/suspicious/noArrayIndexKey: a growing text keeps the places of its blocks
            key={index}
            {...block}
            definitions={definitionsFor(block.text, definitions)}
            isGrowing={isStreaming && index === blocks.length - 1}
            reading={reading}
          />
        ))}
      </div>
    </div>
  );
}

interface MarkdownReading {
  readonly parse: ParseMarkdown;
  readonly prepare: (text: string) => string;
}

const withoutFormulas: MarkdownReading = { parse: parseMarkdown, prepare: (text) => text };
const readings = new WeakMap<ParseMarkdown, MarkdownReading>();

/** Returns the same function for the same parser, so that blocks stay as they are. */
function withFormulas(parse: ParseMarkdown): MarkdownReading {
  const reading = readings.get(parse) ?? { parse, prepare: normalizeMath };
  readings.set(parse, reading);
  return reading;
}

interface FormattedBlockProps extends MarkdownBlock {
  readonly definitions: string;
  readonly isGrowing: boolean;
  readonly reading: MarkdownReading;
}

const FormattedBlock = memo(function FormattedBlock(props: FormattedBlockProps): ReactNode {
  const { text, within, isTable, isGrowing, reading } = props;
  const [isForced, setIsForced] = useState(props.isForced === true);
  const inner = useMemo(() => innerText({ text, ...(within && { within }) }), [text, within]);
  const fence = useMemo(() => readFence(inner), [inner]);
  const isPlain = useMemo(() => !isTable && isShownPlain({ text: inner }), [inner, isTable]);
  const markdown = useMemo(() => {
    const prepared = reading.prepare(inner);
    return isGrowing && !fence ? remend(prepared) : prepared;
  }, [reading, inner, isGrowing, fence]);
  const table = useMemo(
    () => (isTable ? (readLongTable(markdown) ?? readLongTable(inner)) : null),
    [isTable, markdown, inner],
  );
  const place = {
    start: props.start,
    isContinued: props.isContinued === true && within === undefined,
  };
  if (fence) {
    const code = (
      <CodeBlock code={fence.code} language={fence.language} isComplete={fence.isClosed} />
    );
    return inContainers(code, within);
  }
  if (isPlain && !isForced) return <HeavyText text={text} onFormat={() => setIsForced(true)} />;
  return (
    <MarkdownBoundary text={text}>
      {inContainers(
        table ? (
          <LongTable table={table} parse={reading.parse} />
        ) : (
          <Parsed text={props.definitions + markdown} parse={reading.parse} {...place} />
        ),
        within,
      )}
    </MarkdownBoundary>
  );
});

interface ParsedProps extends MarkdownPlace {
  readonly text: string;
  readonly parse: ParseMarkdown;
}

function Parsed({ text, parse, start, isContinued }: ParsedProps) {
  return useMemo(
    () => renderMarkdown(parse(text), text, { start, isContinued }),
    [text, parse, start, isContinued],
  );
}

function inContainers(content: ReactNode, within: string | undefined): ReactNode {
  if (within === undefined) return content;
  const containers = within.split(" ");
  return containers.reduceRight((inner, container, depth) => {
    const isQuote = container === "q";
    const props = depth === 0 ? continued(isQuote ? "Quote" : "List") : {};
    if (isQuote) return createElement("blockquote", props, inner);
    return createElement("ul", props, createElement("li", { className: "unmarked" }, inner));
  }, content);
}
