import { countOf } from "@/app/_components/drawer/format-amount";
import { classNames } from "@/app/_components/ui/class-names";
import { type DiffHunk, diffHunks } from "./diff-hunks";
import type { DiffLine } from "./line-diff";

const looks = {
  same: "text-muted",
  added: "bg-accent-soft text-ink",
  removed: "bg-danger-soft text-ink",
} as const;

const marks = { same: " ", added: "+", removed: "−" } as const;
const spoken = { same: "", added: "Added: ", removed: "Removed: " } as const;

/** A comparison by lines, unchanged stretches left out. */
export function DiffView({ lines, label }: { lines: readonly DiffLine[]; label: string }) {
  const hunks = diffHunks(lines);
  if (hunks.length === 0) return <p className="text-faint text-sm">No line differs.</p>;
  return (
    <section
      aria-label={label}
      className="overflow-hidden rounded-md border border-line bg-raised py-1 font-mono text-xs"
    >
      {hunks.map((hunk, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a stretch has no other name than its place
        <Hunk key={at} hunk={hunk} />
      ))}
    </section>
  );
}

function Hunk({ hunk }: { hunk: DiffHunk }) {
  if (hunk.kind === "skipped") {
    return (
      <p className="bg-sunken px-3 py-0.5 text-2xs text-faint">
        {countOf(hunk.count, "unchanged line")}
      </p>
    );
  }
  return hunk.lines.map((line) => (
    <p key={`${line.before} ${line.after}`} className={classNames("flex px-3", looks[line.kind])}>
      <span aria-hidden className="w-4 shrink-0 select-none">
        {marks[line.kind]}
      </span>
      <span className="sr-only">{spoken[line.kind]}</span>
      <span dir="auto" className="min-w-0 flex-1 whitespace-pre-wrap [overflow-wrap:anywhere]">
        {line.text || "\u00A0"}
      </span>
    </p>
  ));
}
