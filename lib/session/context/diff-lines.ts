export interface LineChange {
  readonly kind: "same" | "added" | "removed";
  readonly line: string;
}

// A larger table would make the person wait.
const maxCells = 1_000_000;

/** Removed lines come before added ones. */
export function diffLines(before: string, after: string): LineChange[] {
  const [older, newer] = [linesOf(before), linesOf(after)];
  const head = commonLength(older, newer);
  const [restOlder, restNewer] = [older.slice(head), newer.slice(head)];
  const tail = commonLength(restOlder.toReversed(), restNewer.toReversed());
  const middle = diffMiddle(
    restOlder.slice(0, restOlder.length - tail),
    restNewer.slice(0, restNewer.length - tail),
  );
  return [
    ...older.slice(0, head).map(same),
    ...middle,
    ...older.slice(older.length - tail).map(same),
  ];
}

function linesOf(text: string): string[] {
  return text === "" ? [] : text.split("\n");
}

function commonLength(first: readonly string[], second: readonly string[]): number {
  const differing = first.findIndex((line, index) => line !== second[index]);
  return differing === -1 ? Math.min(first.length, second.length) : differing;
}

function diffMiddle(older: readonly string[], newer: readonly string[]): LineChange[] {
  if (older.length * newer.length > maxCells) return [...older.map(removed), ...newer.map(added)];
  const kept = longestCommon(older, newer);
  const changes: LineChange[] = [];
  let [left, right] = [0, 0];
  while (left < older.length || right < newer.length) {
    const [oldLine, newLine] = [older[left], newer[right]];
    if (oldLine !== undefined && oldLine === newLine) {
      changes.push(same(oldLine));
      left++;
      right++;
    } else if (
      oldLine !== undefined &&
      (newLine === undefined || kept(left + 1, right) >= kept(left, right + 1))
    ) {
      changes.push(removed(oldLine));
      left++;
    } else if (newLine !== undefined) {
      changes.push(added(newLine));
      right++;
    }
  }
  return changes;
}

function longestCommon(older: readonly string[], newer: readonly string[]) {
  const width = newer.length + 1;
  const table = new Uint32Array((older.length + 1) * width);
  const at = (left: number, right: number) => table[left * width + right] ?? 0;
  for (let left = older.length - 1; left >= 0; left--) {
    for (let right = newer.length - 1; right >= 0; right--) {
      table[left * width + right] =
        older[left] === newer[right]
          ? at(left + 1, right + 1) + 1
          : Math.max(at(left + 1, right), at(left, right + 1));
    }
  }
  return at;
}

function same(line: string): LineChange {
  return { kind: "same", line };
}

function added(line: string): LineChange {
  return { kind: "added", line };
}

function removed(line: string): LineChange {
  return { kind: "removed", line };
}
