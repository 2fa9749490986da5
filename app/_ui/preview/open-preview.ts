import { createContext } from "react";
import type { PreviewKind } from "./preview-panel";

export interface OpenedCode {
  readonly code: string;
  readonly language: string;
}

export interface OpenedBlock extends OpenedCode {
  readonly place: number;
  readonly count: number;
}

/** Opens code beside what holds it, or over the page. `null` while it is being written. */
export const OpenPreview = createContext<((opened: OpenedBlock) => void) | null>(null);

const previewKinds: ReadonlyMap<string, PreviewKind> = new Map([
  ["html", "html"],
  ["svg", "svg"],
  ["mermaid", "diagram"],
]);

export function previewKindOf(language: string): PreviewKind | undefined {
  return previewKinds.get(language.toLowerCase());
}

/** HTML and SVG run only after a click. */
export function largePreviewKey(code: string): string {
  return `large preview ${code}`;
}
