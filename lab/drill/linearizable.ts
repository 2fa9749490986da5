/** One operation on a register, by the clock of one machine. */
export interface Operation {
  readonly kind: "read" | "write";
  readonly value: string;
  readonly startedAt: number;
  /** Infinite when no reply came: it may take effect at any time, or never. */
  readonly endedAt: number;
}

const operationsAtMost = 60;

/**
 * True when some order of the operations, each between its start and its end, explains every read.
 *
 * @throws {RangeError} for more than 60 operations.
 * @see Wing and Gong, Testing and Verifying Concurrent Objects, 1993
 */
export function isLinearizable(initial: string, operations: readonly Operation[]): boolean {
  if (operations.length > operationsAtMost)
    throw new RangeError(`A history may have ${operationsAtMost} operations.`);
  const refuted = new Set<string>();
  // A read without a reply says nothing.
  const telling = operations
    .filter((each) => each.kind === "write" || hasEnded(each))
    .toSorted((one, other) => one.startedAt - other.startedAt);

  function explains(value: string, left: readonly Operation[]): boolean {
    if (!left.some(hasEnded)) return true;
    const state = JSON.stringify([value, left.map((each) => telling.indexOf(each))]);
    if (refuted.has(state)) return false;
    const firstEnd = Math.min(...left.map(({ endedAt }) => endedAt));
    const found = left.some((next) => {
      if (next.startedAt > firstEnd) return false;
      if (!hasEnded(next) && !isWorthTrying(next, left)) return false;
      if (next.kind === "read" && next.value !== value) return false;
      return explains(
        next.value,
        left.filter((each) => each !== next),
      );
    });
    if (!found) refuted.add(state);
    return found;
  }

  return explains(initial, telling);
}

function hasEnded({ endedAt }: Operation): boolean {
  return endedAt !== Number.POSITIVE_INFINITY;
}

/** Tries only the first of the writes without a reply and with one value: trying all takes exponential time. */
function isWorthTrying(write: Operation, left: readonly Operation[]): boolean {
  const alike = left.filter(({ value }) => value === write.value);
  return (
    alike.some(({ kind }) => kind === "read") && alike.find((each) => !hasEnded(each)) === write
  );
}
