/** A fault, repeated: one promise of docs/reliability.md under `count` faults. */
export interface Drill {
  name: string;
  promise: string;
  /** Counted things, plural: "kills", "requests". */
  unit: string;
  fullCount: number;
  run(options: DrillOptions): Promise<DrillResult>;
}

export interface DrillOptions {
  count: number;
  /** The same seed and count make the same faults; only the moments they meet differ. */
  seed: number;
  signal: AbortSignal;
  say(line: string): void;
}

export interface DrillResult {
  broken: string[];
  /** Measured, by name with its unit: `{ "acknowledged messages": 13491, "longest wait (ms)": 840 }`. */
  figures: Record<string, number>;
}

interface Ran {
  readonly count: number;
  readonly seed: number;
  /** Time ended it before the count was reached; its figures say how far it came. */
  readonly isCutShort: boolean;
}

/** One line for a table: the promise's state, count and figures, and every broken guarantee below it. */
export function drillReport(
  drill: Drill,
  { count, seed, isCutShort }: Ran,
  { broken, figures }: DrillResult,
): string {
  const measured = Object.entries(figures).map(
    ([name, value]) => `${name} ${value.toLocaleString("en", { maximumFractionDigits: 1 })}`,
  );
  const state = broken.length === 0 ? "held" : "BROKEN";
  const asked = `${count.toLocaleString("en")} ${drill.unit}`;
  const head = `${state}  ${drill.name}: ${isCutShort ? `part of ${asked}` : asked} (seed ${seed})`;
  return [[head, ...measured].join(" · "), ...broken.map((line) => `  - ${line}`)].join("\n");
}

/**
 * Runs one part, up to `minutes` if given, and makes its lines for the table. A part that cannot run to its end, such as one
 * without a browser, is a failure, too.
 *
 * @returns the number of failures.
 */
export async function runDrill(
  drill: Drill,
  { minutes = null, ...options }: DrillOptions & { minutes?: number | null },
): Promise<{ report: string; failures: number }> {
  const { count, seed, signal } = options;
  const ending = new AbortController();
  const end = () => ending.abort();
  signal.addEventListener("abort", end);
  if (signal.aborted) end();
  const timer = minutes === null ? undefined : setTimeout(end, minutes * 60_000);
  try {
    const result = await drill.run({ ...options, signal: ending.signal });
    const isCutShort = ending.signal.aborted;
    const report = drillReport(drill, { count, seed, isCutShort }, result);
    if (!signal.aborted) return { report, failures: result.broken.length };
    return { report: `${notRun} ${drill.name}: It was interrupted.\n${report}`, failures: 1 };
  } catch (error) {
    const reason = signal.aborted ? "It was interrupted." : describe(error);
    return { report: `${notRun} ${drill.name}: ${reason}`, failures: 1 };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", end);
  }
}

const notRun = "NOT RUN TO ITS END ";

function describe(error: unknown): string {
  return (error instanceof Error && error.stack) || String(error);
}
