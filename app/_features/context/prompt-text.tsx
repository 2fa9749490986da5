"use client";

import { ChevronRight } from "lucide-react";
import { blockTitle } from "@/app/_data/memory/block-words";

interface PromptTextProps {
  prompt: string;
  titleOf?: (label: string) => string;
}

export function PromptText({ prompt, titleOf = blockTitle }: PromptTextProps) {
  if (prompt === "") return <p className="text-faint text-sm">The prompt is empty.</p>;
  return (
    <div className="flex flex-col gap-1.5">
      {promptSections(prompt, titleOf).map(({ title, description, source }, at) => (
        <details
          // biome-ignore lint/suspicious/noArrayIndexKey: blocks keep their order, and titles may repeat
          key={at}
          className="group rounded-lg border border-line bg-raised"
        >
          <summary className="flex cursor-pointer list-none items-baseline gap-2 rounded-lg px-3.5 py-2 text-sm -outline-offset-2 marker:hidden">
            <span className="shrink-0 font-medium">{title ?? "Text"}</span>
            <span className="min-w-0 flex-1 truncate text-faint text-xs">{description}</span>
            <ChevronRight
              aria-hidden
              className="size-3.5 shrink-0 self-center text-faint transition-transform group-open:rotate-90"
            />
          </summary>
          <pre className="whitespace-pre-wrap border-line border-t px-3.5 py-2.5 font-mono text-sm [overflow-wrap:anywhere]">
            {source}
          </pre>
        </details>
      ))}
    </div>
  );
}

export interface LabelledSection {
  readonly title: string | null;
  readonly description: string;
  readonly source: string;
}

const RULE = "═".repeat(46);

export function promptSections(prompt: string, titleOf = blockTitle): LabelledSection[] {
  if (prompt === "") return [];
  const lines = prompt.split("\n");
  const starts = lines.flatMap((_, at) => (isHeaderAt(lines, at) ? [at] : []));
  const cuts = [...new Set([0, ...starts])];
  return cuts.map((start, index) =>
    sectionOf(lines.slice(start, cuts[index + 1] ?? lines.length), titleOf),
  );
}

function isHeaderAt(lines: readonly string[], at: number): boolean {
  return lines[at] === RULE && lines[at + 2] === RULE && (lines[at + 1] ?? "") !== RULE;
}

function sectionOf(lines: readonly string[], titleOf: typeof blockTitle): LabelledSection {
  const last = lines.findLastIndex((line) => line !== "");
  const source = lines.slice(0, last + 1).join("\n");
  if (!isHeaderAt(lines, 0)) return { title: null, description: "", source };
  const [, label = "", note = ""] = /^(.*?)(?:\s+([([].*))?$/.exec(lines[1] ?? "") ?? [];
  const [, description = ""] = /^\((.*)\)(?: \[[^\]]*\])*$/.exec(note) ?? [];
  return { title: titleOf(label.toLowerCase()), description, source };
}
