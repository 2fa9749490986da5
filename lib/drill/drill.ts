/** A fault, repeated: one promise of docs/reliability.md under `count` faults. */
export interface Drill {
  /** As `npm run drill -- NAME`. */
  name: string;
  /** The guarantee, as a person would say it. */
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
  /** Progress, on stderr. */
  say(line: string): void;
}

export interface DrillResult {
  /** A sentence for each broken guarantee; empty when the promise held. */
  broken: string[];
  /** Measured, by name with its unit: `{ "acknowledged messages": 13491, "longest wait (ms)": 840 }`. */
  figures: Record<string, number>;
}

/** One line for a table: the promise's state, count and figures, and every broken guarantee below it. */
export function drillReport(
  drill: Drill,
  count: number,
  seed: number,
  result: DrillResult,
): string {
  const { broken, figures } = result;
  const measured = Object.entries(figures).map(
    ([name, value]) => `${name} ${value.toLocaleString("en", { maximumFractionDigits: 1 })}`,
  );
  const state = broken.length === 0 ? "held" : "BROKEN";
  const head = `${state}  ${drill.name}: ${count.toLocaleString("en")} ${drill.unit} (seed ${seed})`;
  return [[head, ...measured].join(" · "), ...broken.map((line) => `  - ${line}`)].join("\n");
}

/**
 * Runs one part and makes its lines for the table. A part that cannot run to its end, such as one without a browser, is
 * a failure, too.
 *
 * @returns the number of failures.
 */
export async function runDrill(
  drill: Drill,
  options: DrillOptions,
): Promise<{ report: string; failures: number }> {
  try {
    const result = await drill.run(options);
    options.signal.throwIfAborted();
    const report = drillReport(drill, options.count, options.seed, result);
    return { report, failures: result.broken.length };
  } catch (error) {
    const reason = options.signal.aborted ? "It was interrupted." : describe(error);
    return { report: `NOT RUN TO ITS END  ${drill.name}: ${reason}`, failures: 1 };
  }
}

function describe(error: unknown): string {
  return (error instanceof Error && error.stack) || String(error);
}
