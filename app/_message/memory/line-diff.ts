/** `before` and `after` are line numbers from 1, `null` where absent. */
export interface DiffLine {
  readonly kind: "same" | "added" | "removed";
  readonly text: string;
  readonly before: number | null;
  readonly after: number | null;
}

/** Larger tables cost more memory than a minimal diff is worth. */
const MAX_TABLE_CELLS = 1_000_000;

/**
 * Removed lines come before their replacements. Very long changes become one replaced range between the common start
 * and end. An empty text has no lines.
 */
export function lineDiff(before: string, after: string): DiffLine[] {
  const old = splitLines(before);
  const now = splitLines(after);
  const start = commonStart(old, now);
  const end = commonEnd(old.slice(start), now.slice(start));
  const steps = [
    ...repeat("same", start),
    ...changedSteps(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    ...repeat("same", end),
  ];
  return numberLines(steps, old, now);
}

type Step = DiffLine["kind"];

function splitLines(text: string): string[] {
  return text === "" ? [] : text.split(/\r\n|\r|\n/);
}

function repeat(step: Step, count: number): Step[] {
  return Array.from({ length: count }, () => step);
}

function commonStart(old: readonly string[], now: readonly string[]): number {
  const most = Math.min(old.length, now.length);
  let count = 0;
  while (count < most && old[count] === now[count]) count += 1;
  return count;
}

function commonEnd(old: readonly string[], now: readonly string[]): number {
  return commonStart(old.toReversed(), now.toReversed());
}

function changedSteps(old: readonly string[], now: readonly string[]): Step[] {
  if ((old.length + 1) * (now.length + 1) > MAX_TABLE_CELLS) {
    return [...repeat("removed", old.length), ...repeat("added", now.length)];
  }
  return walk(commonLengths(old, now), old, now);
}

/** `lengths[i * width + j]`: longest common subsequence of `old` from `i` and `now` from `j`. */
function commonLengths(old: readonly string[], now: readonly string[]): Uint32Array {
  const width = now.length + 1;
  const lengths = new Uint32Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = now.length - 1; j >= 0; j -= 1) {
      const at = i * width + j;
      lengths[at] =
        old[i] === now[j]
          ? (lengths[at + width + 1] ?? 0) + 1
          : Math.max(lengths[at + width] ?? 0, lengths[at + 1] ?? 0);
    }
  }
  return lengths;
}

function walk(lengths: Uint32Array, old: readonly string[], now: readonly string[]): Step[] {
  const width = now.length + 1;
  const steps: Step[] = [];
  let i = 0;
  let j = 0;
  while (i < old.length || j < now.length) {
    const step = nextStep(lengths, { i, j, width, old, now });
    steps.push(step);
    if (step !== "added") i += 1;
    if (step !== "removed") j += 1;
  }
  return steps;
}

interface Place {
  i: number;
  j: number;
  width: number;
  old: readonly string[];
  now: readonly string[];
}

function nextStep(lengths: Uint32Array, { i, j, width, old, now }: Place): Step {
  if (i >= old.length) return "added";
  if (j >= now.length) return "removed";
  if (old[i] === now[j]) return "same";
  const withoutOld = lengths[(i + 1) * width + j] ?? 0;
  const withoutNew = lengths[i * width + j + 1] ?? 0;
  return withoutOld >= withoutNew ? "removed" : "added";
}

function numberLines(
  steps: readonly Step[],
  old: readonly string[],
  now: readonly string[],
): DiffLine[] {
  let before = 0;
  let after = 0;
  return steps.map((kind) => {
    if (kind !== "added") before += 1;
    if (kind !== "removed") after += 1;
    return {
      kind,
      text: (kind === "added" ? now[after - 1] : old[before - 1]) ?? "",
      before: kind === "added" ? null : before,
      after: kind === "removed" ? null : after,
    };
  });
}

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
