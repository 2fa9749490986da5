"use client";

import { CodeXml, Eye, PanelRightOpen } from "lucide-react";
import {
  type CSSProperties,
  lazy,
  memo,
  type ReactNode,
  Suspense,
  use,
  useEffect,
  useEffectEvent,
  useMemo,
  useState,
  useSyncExternalStore,
} from "react";
import { Button, IconButton } from "@/app/_ui/button";
import { useOnPaper } from "@/app/_ui/on-paper";
import {
  largePreviewKey,
  type OpenedBlock,
  OpenPreview,
  previewKindOf,
} from "@/app/_ui/preview/open-preview";
import type { PreviewKind } from "@/app/_ui/preview/preview-panel";
import { keep, useKeptState } from "@/app/_ui/use-kept-state";
import type { ColouredCode, ColouredLine } from "./colour-lines";
import { CopyButton } from "./copy-button";
import { highlight } from "./highlighter";
import { scrollable } from "./scrollable";

const PreviewView = lazy(() =>
  import("@/app/_ui/preview/preview-panel").then((module) => ({ default: module.PreviewView })),
);

export interface CodeBlockProps {
  readonly code: string;
  readonly language: string;
  readonly isComplete?: boolean;
}

const longLines = 20;

export const CodeBlock = memo(function CodeBlock(props: CodeBlockProps) {
  const { code, language } = props;
  const kind = previewKindOf(language);
  if (kind) return <PreviewableCode {...props} kind={kind} />;
  return (
    <CodeFrame code={code} language={language} actions={<OpenLongCode {...props} />}>
      <Code code={code} language={language} />
    </CodeFrame>
  );
});

function OpenLongCode({ code, language, isComplete = true }: CodeBlockProps) {
  const open = use(OpenPreview);
  const isLong = useMemo(() => code.split("\n", longLines + 1).length > longLines, [code]);
  if (!open || !isComplete || !isLong) return null;
  return <OpenBeside onOpen={(place) => open({ code, language, ...place })} />;
}

type CodePlace = Pick<OpenedBlock, "place" | "count">;

function OpenBeside({ onOpen }: { onOpen: (place: CodePlace) => void }) {
  return (
    <IconButton
      label="Expand"
      size="xs"
      tooltip="top"
      onClick={({ currentTarget }) => onOpen(placeOf(currentTarget))}
    >
      <PanelRightOpen aria-hidden />
    </IconButton>
  );
}

/** Blocks are formatted apart, so only the page knows their order. */
function placeOf(button: Element): CodePlace {
  const blocks = [...(button.closest("article")?.querySelectorAll("figure.code-block") ?? [])];
  return {
    place: blocks.findIndex((block) => block.contains(button)),
    count: blocks.length,
  };
}

interface CodeFrameProps extends CodeBlockProps {
  readonly kind?: PreviewKind;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

function CodeFrame({ code, language, kind, actions, children }: CodeFrameProps) {
  return (
    <figure
      className="code-block"
      aria-label={language ? `${language} code` : "Code"}
      data-preview={kind}
    >
      <figcaption className="code-block-head">
        <span>{language || "text"}</span>
        <span className="flex items-center gap-1">
          {actions}
          <CopyButton text={code} label="Copy code" />
        </span>
      </figcaption>
      {children}
    </figure>
  );
}

export function Code({ code, language }: CodeBlockProps) {
  const highlighted = useHighlighted({ code, language });
  return (
    <pre {...scrollable}>
      <code>{highlighted ? <Tokens result={highlighted} code={code} /> : code}</code>
    </pre>
  );
}

/** Diagrams are drawn as soon as they are complete. HTML and SVG wait for a click. */
function PreviewableCode(props: CodeBlockProps & { readonly kind: PreviewKind }) {
  const { code, language, kind, isComplete = true } = props;
  const isClient = useSyncExternalStore(subscribeToNothing, isTrue, isFalse);
  const [isWanted, setIsWanted] = useKeptState(`preview ${code}`, kind === "diagram");
  const open = use(OpenPreview);
  const isOnPaper = useOnPaper();
  // Printing runs no page a second time.
  const isShown = isWanted && isComplete && isClient && !(isOnPaper && kind !== "diagram");
  const source = <Code code={code} language={language} />;
  const openBeside = (place: CodePlace) => {
    keep(largePreviewKey(code), true);
    // A page runs in one place.
    if (kind !== "diagram") setIsWanted(false);
    open?.({ code, language, ...place });
  };
  const actions = (
    <>
      {open && isComplete && isClient && <OpenBeside onOpen={openBeside} />}
      <Button
        size="sm"
        variant="ghost"
        className="h-7 text-xs"
        disabled={!isComplete}
        onClick={() => setIsWanted(!isWanted)}
      >
        {isShown && <CodeXml aria-hidden />}
        {!isShown && <Eye aria-hidden />}
        {isShown ? "Code" : "Preview"}
      </Button>
    </>
  );
  return (
    <CodeFrame {...props} kind={kind} actions={actions}>
      {isShown ? (
        <Suspense fallback={source}>
          <div className="preview-view">
            <PreviewView kind={kind} code={code} place="small" onStop={() => setIsWanted(false)}>
              {source}
            </PreviewView>
          </div>
        </Suspense>
      ) : (
        source
      )}
    </CodeFrame>
  );
}

const subscribeToNothing = () => () => undefined;
const isTrue = () => true;
const isFalse = () => false;

/** Code that has arrived since the last colouring follows as plain text. */
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

const bold = 2;

function styleOf({ color, fontStyle = 0 }: ColouredLine[number]): CSSProperties {
  return {
    ...(color && { color }),
    ...(fontStyle > 0 && (fontStyle & bold ? { fontWeight: "bold" } : { fontStyle: "italic" })),
  };
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
