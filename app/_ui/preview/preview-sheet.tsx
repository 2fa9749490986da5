"use client";

import { Sheet } from "@/app/_ui/sheet";
import type { OpenedCode } from "./open-preview";
import { CodeHead, ShownCode } from "./shown-code";

export interface PreviewSheetProps {
  readonly opened: OpenedCode;
  readonly onClose: () => void;
}

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
