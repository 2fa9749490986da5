import type { AnswerStatus } from "@/lib/chat/wire/messages";

/** A run as it is stored. */
export interface RunRecord {
  readonly id: string;
  readonly sessionId: string;
  readonly messageId: string;
  readonly parentId: string;
  readonly model: string;
  readonly status: "running" | AnswerStatus;
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
}

export type NewRun = Pick<RunRecord, "id" | "sessionId" | "messageId" | "parentId" | "model">;

/** Where the runs of one owner and the chunks they write are kept. */
export interface RunStore {
  /**
   * The run that answers with `messageId`: a new one, or the one a retry finds. `null` when it would be one more than may
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
  running(sessionId?: string): Promise<RunRecord[]>;
  /** Extends the lease; `null` when the run has ended. */
  heartbeat(runId: string, leaseMs: number): Promise<{ stopRequested: boolean } | null>;
  /** Whether there was a running run to stop. */
  requestStop(runId: string): Promise<boolean>;
  appendChunks(runId: string, from: number, chunks: readonly unknown[]): Promise<void>;
  readChunks(runId: string, from: number): Promise<unknown[]>;
  saveReceipt(runId: string, receipt: unknown): Promise<void>;
  finish(runId: string, status: AnswerStatus, receipt?: unknown): Promise<void>;
  receiptOf(sessionId: string, messageId: string): Promise<unknown>;
}
