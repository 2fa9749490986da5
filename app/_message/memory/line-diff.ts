import { diffArrays } from "diff";

export interface DiffLine {
  readonly kind: "same" | "added" | "removed";
  readonly text: string;
  readonly before: number | null;
  readonly after: number | null;
}

/** A minimal diff of more changes takes longer than it is worth. */
const MAX_CHANGED_LINES = 1_000;

/**
 * Removed lines come before their replacements. Very long changes become one replaced range between the common start
 * and end.
 */
export function lineDiff(before: string, after: string): DiffLine[] {
  const old = splitLines(before);
  const now = splitLines(after);
  const changes = diffArrays(old, now, { maxEditLength: MAX_CHANGED_LINES });
  if (!changes) return numberLines(replacedRange(old, now));
  return numberLines(
    changes.flatMap(({ value, added, removed }) => {
      const kind = added ? "added" : removed ? "removed" : "same";
      return value.map((text) => ({ kind, text }) as const);
    }),
  );
}

type UnnumberedLine = Pick<DiffLine, "kind" | "text">;

function splitLines(text: string): string[] {
  return text === "" ? [] : text.split(/\r\n|\r|\n/);
}

function replacedRange(old: readonly string[], now: readonly string[]): UnnumberedLine[] {
  const start = commonStart(old, now);
  const end = commonStart(old.slice(start).toReversed(), now.slice(start).toReversed());
  const of = (kind: DiffLine["kind"]) => (text: string) => ({ kind, text });
  return [
    ...now.slice(0, start).map(of("same")),
    ...old.slice(start, old.length - end).map(of("removed")),
    ...now.slice(start, now.length - end).map(of("added")),
    ...now.slice(now.length - end).map(of("same")),
  ];
}

function commonStart(old: readonly string[], now: readonly string[]): number {
  const first = old.findIndex((line, at) => line !== now[at]);
  return first === -1 ? old.length : first;
}

function numberLines(lines: readonly UnnumberedLine[]): DiffLine[] {
  let before = 0;
  let after = 0;
  return lines.map(({ kind, text }) => {
    if (kind !== "added") before += 1;
    if (kind !== "removed") after += 1;
    return {
      kind,
      text,
      before: kind === "added" ? null : before,
      after: kind === "removed" ? null : after,
    };
  });
}

export type DiffHunk =
  | { readonly kind: "lines"; readonly lines: readonly DiffLine[] }
  | { readonly kind: "skipped"; readonly count: number };

export function diffHunks(lines: readonly DiffLine[], context = 2): DiffHunk[] {
  if (lines.every((line) => line.kind === "same")) return [];
  const near = nearChange(lines, context);
  const hunks: DiffHunk[] = [];
  let start = 0;
  for (let at = 1; at <= lines.length; at += 1) {
    if (at < lines.length && near[at] === near[start]) continue;
    const part = lines.slice(start, at);
    hunks.push(
      near[start] ? { kind: "lines", lines: part } : { kind: "skipped", count: part.length },
    );
    start = at;
  }
  return hunks;
}

function nearChange(lines: readonly DiffLine[], context: number): boolean[] {
  const near = lines.map(() => false);
  for (const [at, line] of lines.entries()) {
    if (line.kind !== "same") near.fill(true, Math.max(0, at - context), at + context + 1);
  }
  return near;
}
