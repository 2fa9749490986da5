import type { ImportError } from "./import-error";

const mostProblems = 100;
const mostOutcomes = 5_000;

/** Line numbers count from 1. */
export interface ImportReport {
  readonly sessions: { imported: number; already: number; restored: number; failed: number };
  readonly documents: { imported: number; already: number; left: number };
  /** The first 5,000 sessions: their ids in the file and here. */
  readonly outcomes: ImportOutcome[];
  readonly problems: { line: number; field?: string; message: string }[];
  problemCount: number;
}

interface ImportOutcome {
  readonly id: string;
  readonly sessionId: string;
  readonly outcome: "imported" | "already" | "restored" | "failed";
  readonly message?: string;
}

export function emptyReport(): ImportReport {
  return {
    sessions: { imported: 0, already: 0, restored: 0, failed: 0 },
    documents: { imported: 0, already: 0, left: 0 },
    outcomes: [],
    problems: [],
    problemCount: 0,
  };
}

export function addOutcome(report: ImportReport, outcome: ImportOutcome): void {
  report.sessions[outcome.outcome]++;
  if (report.outcomes.length < mostOutcomes) report.outcomes.push(outcome);
}

export function addProblem(
  report: ImportReport,
  { line, title, error }: { line: number; title?: string | undefined; error: ImportError },
): void {
  report.problemCount++;
  if (report.problems.length >= mostProblems) return;
  const what = title === undefined ? "" : `The session “${title}” was left out. `;
  report.problems.push({
    line,
    ...(error.field && { field: error.field }),
    message: `${what}${error.message}`,
  });
}
