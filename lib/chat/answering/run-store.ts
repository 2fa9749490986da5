import type { AnswerStatus } from "@/lib/chat/wire/messages";

/** The server's work on one answer or one summary. */
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

/** A summary when it has a plan. */
export type NewRun = Pick<RunRecord, "id" | "sessionId" | "messageId" | "parentId" | "model"> & {
  readonly plan?: unknown;
};

/** Stores an owner's runs and their chunks. */
export interface RunStore {
  /**
   * Starts the run of `messageId`, or returns an existing one. `null` above the limit of running ones.
   *
   * @throws {MessageConflictError} when the id belongs to another session.
   */
  start(
    run: NewRun,
    leaseMs: number,
    limits: { readonly maxRunning: number },
  ): Promise<{ run: RunRecord; started: boolean } | null>;
  get(runId: string): Promise<RunRecord | null>;
  running(sessionId?: string): Promise<RunRecord[]>;
  /** Running summaries of a session, and its newest one if that failed. */
  openSummaries(sessionId: string): Promise<RunRecord[]>;
  /** The newest summary of a session, whatever its status; `null` when there is none. */
  newestSummary(sessionId: string): Promise<RunRecord | null>;
  /** Deletes a finished summary run. Returns false when there was none. */
  forgetSummary(runId: string): Promise<boolean>;
  /** Extends the lease; `null` when the run has ended. */
  heartbeat(runId: string, leaseMs: number): Promise<{ stopRequested: boolean } | null>;
  /** Returns false when it was not running. */
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
