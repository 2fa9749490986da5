"use client";

import { Sheet } from "@/app/_ui/sheet";
import type { OpenedCode } from "./open-preview";
import { CodeHead, ShownCode } from "./shown-code";

export interface PreviewSheetProps {
  readonly opened: OpenedCode;
  readonly onClose: () => void;
}

/** Shows code that no panel beside it takes: that of a comparison, a summary or a section of memory. */
export function PreviewSheet({ opened, onClose }: PreviewSheetProps) {
  return (
    <Sheet open onClose={onClose} label="Preview" side="wide">
      <section aria-label="Preview" className="flex h-full min-w-0 flex-col">
        <CodeHead language={opened.language} shown={opened} onClose={onClose} />
        <ShownCode shown={opened} />
      </section>
    </Sheet>
  );
}
