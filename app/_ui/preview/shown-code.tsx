"use client";

import { CodeXml, Download, Eye, X } from "lucide-react";
import type { ReactNode } from "react";
import { Button, IconButton } from "@/app/_ui/button";
import { Code } from "@/app/_ui/markdown/code-block";
import { CopyButton } from "@/app/_ui/markdown/copy-button";
import { useKeptState } from "@/app/_ui/use-kept-state";
import { downloadCode } from "./download-code";
import { largePreviewKey, type OpenedCode, previewKindOf } from "./open-preview";
import { PreviewView } from "./preview-panel";

export interface CodeHeadProps {
  readonly language: string;
  readonly shown: OpenedCode | undefined;
  readonly versions?: ReactNode;
  readonly edit?: ReactNode;
  readonly onClose: () => void;
}

export function CodeHead({ language, shown, versions, edit, onClose }: CodeHeadProps) {
  return (
    <header className="flex h-13 shrink-0 items-center gap-1 border-line border-b px-3">
      <h2 className="truncate font-semibold text-sm">{language || "Code"}</h2>
      {versions}
      <span className="flex-1" />
      {shown && <CopyButton text={shown.code} label="Copy code" size="sm" />}
      {shown && (
        <IconButton label="Download" onClick={() => downloadCode(shown)}>
          <Download aria-hidden />
        </IconButton>
      )}
      {edit}
      <IconButton label="Close preview" onClick={onClose}>
        <X aria-hidden />
      </IconButton>
    </header>
  );
}

export function ShownCode({ shown: { code, language } }: { readonly shown: OpenedCode }) {
  const kind = previewKindOf(language);
  const [isRunning, setIsRunning] = useKeptState(largePreviewKey(code), kind === "diagram");
  const source = (
    <div className="prose code-alone min-h-0 flex-1 overflow-auto">
      <Code code={code} language={language} />
    </div>
  );
  if (!kind) return source;
  return (
    <>
      <div className="flex justify-end px-3 py-1.5">
        <Button size="sm" variant="ghost" onClick={() => setIsRunning(!isRunning)}>
          {isRunning ? <CodeXml aria-hidden /> : <Eye aria-hidden />}
          {isRunning ? "Code" : "Preview"}
        </Button>
      </div>
      {isRunning ? (
        <div className="preview-large">
          <PreviewView kind={kind} code={code} place="large" onStop={() => setIsRunning(false)}>
            {source}
          </PreviewView>
        </div>
      ) : (
        source
      )}
    </>
  );
}
