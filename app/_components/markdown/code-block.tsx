"use client";

import type { HighlightResult } from "@streamdown/code";
import { type CSSProperties, memo, useEffect, useState } from "react";
import { CopyButton } from "./copy-button";
import { type ColouredCode, highlight } from "./highlighter";
import { scrollable } from "./scrollable";

export interface CodeBlockProps {
  readonly code: string;
  readonly language: string;
  /** While it is being written. */
  readonly isIncomplete: boolean;
}

/** Code with its language, a copy button and, once the highlighter is here, colours; sideways it scrolls. */
export const CodeBlock = memo(function CodeBlock({ code, language, isIncomplete }: CodeBlockProps) {
  const highlighted = useHighlighted({ code, language, isIncomplete });
  return (
    <figure className="code-block" aria-label={language ? `${language} code` : "Code"}>
      <figcaption className="code-block-head">
        <span>{language || "text"}</span>
        <CopyButton text={code} label="Copy code" />
      </figcaption>
      <pre {...scrollable}>
        <code>{highlighted ? <Tokens result={highlighted} code={code} /> : code}</code>
      </pre>
    </figure>
  );
});

/** The lines that have their colours, and the text that has arrived since. */
function Tokens({ result, code }: { result: ColouredCode; code: string }) {
  return (
    <>
      {result.tokens.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place
        <Line key={index} tokens={line} isFirst={index === 0} />
      ))}
      {code.slice(result.source.length)}
    </>
  );
}

interface LineProps {
  readonly tokens: HighlightResult["tokens"][number];
  readonly isFirst: boolean;
}

const Line = memo(function Line({ tokens, isFirst }: LineProps) {
  return (
    <span>
      {!isFirst && "\n"}
      {tokens.map((token) => (
        <span key={token.offset} style={styleOf(token)}>
          {token.content}
        </span>
      ))}
    </span>
  );
});

/** Both themes' colours in one value, so that changing the theme repaints without highlighting again. */
function styleOf({ htmlStyle }: HighlightResult["tokens"][number][number]): CSSProperties {
  const { color, "--shiki-dark": dark, ...rest } = htmlStyle ?? {};
  return { ...rest, color: `light-dark(${color ?? "inherit"}, ${dark ?? color ?? "inherit"})` };
}

function useHighlighted(request: CodeBlockProps): ColouredCode | null {
  const { code, language, isIncomplete } = request;
  const [coloured, setColoured] = useState<ColouredCode | null>(null);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    void highlight({ code, language, isIncomplete }, { signal, onColoured: setColoured });
    return () => controller.abort();
  }, [code, language, isIncomplete]);
  return coloured && code.startsWith(coloured.source) ? coloured : null;
}
