import type { DiffLine } from "./line-diff";

export type DiffHunk =
  | { readonly kind: "lines"; readonly lines: readonly DiffLine[] }
  | { readonly kind: "skipped"; readonly count: number };

/** Keeps `context` unchanged lines around every change; `[]` without changes. */
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
