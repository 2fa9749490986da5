"use client";

import { type CSSProperties, memo, useEffect, useEffectEvent, useState } from "react";
import type { ColouredCode, ColouredLine } from "./colour-lines";
import { CopyButton } from "./copy-button";
import { highlight } from "./highlighter";
import { scrollable } from "./scrollable";

export interface CodeBlockProps {
  readonly code: string;
  readonly language: string;
}

export const CodeBlock = memo(function CodeBlock({ code, language }: CodeBlockProps) {
  const highlighted = useHighlighted({ code, language });
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

/** Followed by the text that has arrived since. */
function Tokens({ result, code }: { result: ColouredCode; code: string }) {
  return (
    <>
      {result.lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place
        <Line key={index} tokens={line} isFirst={index === 0} />
      ))}
      {result.source.endsWith("\n") && "\n"}
      {code.slice(result.source.length)}
    </>
  );
}

interface LineProps {
  readonly tokens: ColouredLine;
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

/** Both themes' colours, so that changing the theme does not highlight again. */
function styleOf({ htmlStyle }: ColouredLine[number]): CSSProperties {
  const { color, "--shiki-dark": dark, ...rest } = htmlStyle ?? {};
  return { ...rest, color: `light-dark(${color ?? "inherit"}, ${dark ?? color ?? "inherit"})` };
}

function useHighlighted({ code, language }: CodeBlockProps): ColouredCode | null {
  const [coloured, setColoured] = useState<ColouredCode | null>(null);
  const begin = useEffectEvent((signal: AbortSignal) => {
    void highlight({ code, language, known: coloured }, { signal, onColoured: setColoured });
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: restarted whenever the code changes
  useEffect(() => {
    const controller = new AbortController();
    begin(controller.signal);
    return () => controller.abort();
  }, [code, language]);
  return coloured && code.startsWith(coloured.source) ? coloured : null;
}
