import type { AnswerStatus } from "@/lib/chat/wire/messages";

/** A run as it is stored: the server's work on one answer or one summary. */
export interface RunRecord {
  readonly id: string;
  readonly kind: "answer" | "summary";
  readonly sessionId: string;
  readonly messageId: string;
  readonly parentId: string;
  readonly model: string;
  readonly status: "running" | AnswerStatus;
  /** A `SummaryPlan`; `null` for an answer. */
  readonly plan: unknown;
  /** Why a summary failed, as a sentence. */
  readonly problem: string | null;
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
}

/** With a plan it is a summary. */
export type NewRun = Pick<RunRecord, "id" | "sessionId" | "messageId" | "parentId" | "model"> & {
  readonly plan?: unknown;
};

/** Where the runs of one owner and the chunks they write are kept. */
export interface RunStore {
  /**
   * The run that writes `messageId`: a new one, or the one a retry finds. `null` when it would be one more than may
   * be running.
   *
   * @throws {MessageConflictError} when the id is another session's.
   */
  start(
    run: NewRun,
    leaseMs: number,
    limits: { readonly maxRunning: number },
  ): Promise<{ run: RunRecord; started: boolean } | null>;
  get(runId: string): Promise<RunRecord | null>;
  /** Answers being written. */
  running(sessionId?: string): Promise<RunRecord[]>;
  /** Summaries of a session that are being written, and the newest one when it came to nothing. */
  openSummaries(sessionId: string): Promise<RunRecord[]>;
  /** The newest summary of a session, however it ended; `null` when there is none that was not forgotten. */
  newestSummary(sessionId: string): Promise<RunRecord | null>;
  /** Forgets a summary that has ended. Whether there was one. */
  forgetSummary(runId: string): Promise<boolean>;
  /** Extends the lease; `null` when the run has ended. */
  heartbeat(runId: string, leaseMs: number): Promise<{ stopRequested: boolean } | null>;
  /** Whether there was a running run to stop. */
  requestStop(runId: string): Promise<boolean>;
  appendChunks(runId: string, from: number, chunks: readonly unknown[]): Promise<void>;
  readChunks(runId: string, from: number): Promise<unknown[]>;
  saveReceipt(runId: string, receipt: unknown): Promise<void>;
  finish(
    runId: string,
    status: AnswerStatus,
    end?: { receipt?: unknown; problem?: string | undefined },
  ): Promise<void>;
  receiptOf(sessionId: string, messageId: string): Promise<unknown>;
}
