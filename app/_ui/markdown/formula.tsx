"use client";

import { memo } from "react";
import { loadedMath } from "./use-math-plugin";

export interface FormulaProps {
  readonly source: string;
  readonly isDisplay: boolean;
}

export const Formula = memo(function Formula({ source, isDisplay }: FormulaProps) {
  const html = loadedMath()?.formulaHtml(source, { isDisplay }) ?? null;
  if (html === null) return <code dir="ltr">{source}</code>;
  // biome-ignore lint/security/noDangerouslySetInnerHtml: KaTeX escapes what it is given, and a tree of React elements takes 25 times as long
  return <span dir="ltr" dangerouslySetInnerHTML={{ __html: html }} />;
});
