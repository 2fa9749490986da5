import { classNames } from "@/app/_ui/class-names";
import { countOf } from "@/app/_ui/format-amount";
import { type DiffHunk, type DiffLine, diffHunks } from "./line-diff";

const looks = {
  same: "text-muted",
  added: "bg-accent-soft text-ink",
  removed: "bg-danger-soft text-ink",
} as const;

const marks = { same: " ", added: "+", removed: "−" } as const;
const spoken = { same: "", added: "Added: ", removed: "Removed: " } as const;

export interface DiffViewProps {
  lines: readonly DiffLine[];
  label: string;
  /** `false` where several may be on a page, because regions need distinct names. */
  isRegion?: boolean;
}

export function DiffView({ lines, label, isRegion = true }: DiffViewProps) {
  const hunks = diffHunks(lines);
  if (hunks.length === 0) return <p className="text-faint text-sm">No differences.</p>;
  const look = "overflow-hidden rounded-md border border-line bg-raised py-1 text-sm";
  const content = hunks.map((hunk, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a stretch has no other name than its place
    <Hunk key={at} hunk={hunk} />
  ));
  if (isRegion) {
    return (
      <section aria-label={label} className={look}>
        {content}
      </section>
    );
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields
    <div role="group" aria-label={label} className={look}>
      {content}
    </div>
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
    <p key={`${line.before} ${line.after}`} className={classNames("flex pr-3", looks[line.kind])}>
      {/* The line keeps the mark apart from the sign of a list. */}
      <span
        aria-hidden
        className="mr-2 w-7 shrink-0 select-none border-edge/50 border-r text-center"
      >
        {marks[line.kind]}
      </span>
      <span className="sr-only">{spoken[line.kind]}</span>
      <span dir="auto" className="min-w-0 flex-1 whitespace-pre-wrap [overflow-wrap:anywhere]">
        {line.text || "\u00A0"}
      </span>
    </p>
  ));
}
