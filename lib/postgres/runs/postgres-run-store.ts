import type { Sql } from "postgres";
import { storableText } from "@/lib/postgres/tree/message-content";
import { MessageConflictError } from "@/lib/session";
import * as queries from "./runs";

/** A run as its row says. */
export interface RunRecord {
  readonly id: string;
  readonly kind: "answer" | "summary";
  readonly sessionId: string;
  readonly messageId: string;
  readonly parentId: string;
  readonly model: string;
  readonly status: "running" | "complete" | "stopped" | "interrupted" | "failed";
  /** What a summary is to stand for, as it was given; `null` for an answer. */
  readonly plan: unknown;
  /** Why a summary failed. */
  readonly problem: string | null;
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
}

/** An answer that is about to be written: `messageId` is the id it will be stored under, as a child of `parentId`. */
export interface NewRun {
  readonly id: string;
  readonly sessionId: string;
  readonly messageId: string;
  readonly parentId: string;
  readonly model: string;
  /** Makes it a summary. */
  readonly plan?: unknown;
}

/** What is kept of a run besides how it ended. */
export interface RunEnd {
  readonly receipt?: unknown;
  /** Why a summary failed. */
  readonly problem?: string | undefined;
}

/** Runs and the chunks they have written, for one owner. */
export class PostgresRunStore {
  readonly #sql: Sql;
  readonly #chunks: Sql;
  readonly #owner: string;

  /**
   * `chunks` is a pool that commits without waiting for the disk: of a running answer at most the last moments are lost
   * with the database server, while the finished answer is stored by an ordinary, durable write.
   */
  constructor({ sql, chunks, ownerId }: { sql: Sql; chunks: Sql; ownerId: string }) {
    this.#sql = sql;
    this.#chunks = chunks;
    this.#owner = ownerId;
  }

  /**
   * The run that writes `messageId`: a new one, or the one a retry finds. `null` when it would be one more than may
   * be running.
   *
   * @throws {MessageConflictError} when the id is another session's.
   */
  async start(
    { plan, ...run }: NewRun,
    leaseMs: number,
    { maxRunning }: { readonly maxRunning: number },
  ): Promise<{ run: RunRecord; started: boolean } | null> {
    const query = {
      owner: this.#owner,
      ...run,
      kind: plan === undefined ? ("answer" as const) : ("summary" as const),
      plan: plan === undefined ? null : storableText(JSON.stringify(plan)),
      leaseMs,
      maxRunning,
    };
    const inserted = await queries.insertRun(this.#sql, query);
    if (inserted) return { run: recordOf(inserted), started: true };
    const present = await queries.runOfMessage(this.#sql, query);
    if (present) return { run: recordOf(present), started: false };
    if (await queries.readRun(this.#sql, { owner: this.#owner, runId: run.id }))
      throw new MessageConflictError(run.messageId);
    return null;
  }

  async get(runId: string): Promise<RunRecord | null> {
    const row = await queries.readRun(this.#sql, { owner: this.#owner, runId });
    return row ? recordOf(row) : null;
  }

  /** Answers still being written: of one session, or of all. */
  async running(sessionId?: string): Promise<RunRecord[]> {
    const rows = await queries.runningAnswers(this.#sql, {
      owner: this.#owner,
      session: sessionId ?? null,
    });
    return rows.map(recordOf);
  }

  /** Summaries of a session that are being written, and the newest one when it came to nothing. */
  async openSummaries(sessionId: string): Promise<RunRecord[]> {
    const rows = await queries.openSummaries(this.#sql, { owner: this.#owner, session: sessionId });
    return rows.map(recordOf);
  }

  /** The newest summary of a session, however it ended; `null` when there is none that was not forgotten. */
  async newestSummary(sessionId: string): Promise<RunRecord | null> {
    const row = await queries.newestSummary(this.#sql, { owner: this.#owner, session: sessionId });
    return row ? recordOf(row) : null;
  }

  /** Forgets a summary that has ended. Whether there was one. */
  async forgetSummary(runId: string): Promise<boolean> {
    return queries.deleteSummary(this.#sql, { owner: this.#owner, runId });
  }

  /** Extends the lease and tells whether somebody asked to stop; `null` when the run is no longer ours to write. */
  async heartbeat(runId: string, leaseMs: number): Promise<{ stopRequested: boolean } | null> {
    const row = await queries.extendLease(this.#sql, { owner: this.#owner, runId, leaseMs });
    return row ? { stopRequested: row.stop_requested } : null;
  }

  /** Whether there was a running run to stop. */
  async requestStop(runId: string): Promise<boolean> {
    return queries.requestStop(this.#sql, { owner: this.#owner, runId });
  }

  /** Adds chunks in order; `from` is the number of the first. The same again changes nothing. */
  async appendChunks(runId: string, from: number, chunks: readonly unknown[]): Promise<void> {
    await queries.insertChunks(this.#chunks, {
      owner: this.#owner,
      runId,
      from,
      size: chunks.length,
      delta: JSON.stringify(chunks),
    });
  }

  /** Chunks from number `from` on, in order. */
  async readChunks(runId: string, from: number): Promise<unknown[]> {
    const rows = await queries.readChunks(this.#sql, { owner: this.#owner, runId, from });
    return rows.flatMap((row) =>
      (JSON.parse(row.delta) as unknown[]).slice(Math.max(0, from - row.n)),
    );
  }

  async saveReceipt(runId: string, receipt: unknown): Promise<void> {
    await queries.updateRun(this.#sql, {
      owner: this.#owner,
      runId,
      receipt: storableText(JSON.stringify(receipt)),
      status: null,
      error: null,
    });
  }

  async finish(
    runId: string,
    status: Exclude<RunRecord["status"], "running">,
    { receipt, problem }: RunEnd = {},
  ): Promise<void> {
    await queries.updateRun(this.#sql, {
      owner: this.#owner,
      runId,
      status,
      receipt: receipt === undefined ? null : storableText(JSON.stringify(receipt)),
      error: problem === undefined ? null : storableText(problem),
    });
  }

  /** The receipt of the answer with this message id, as it was saved. */
  async receiptOf(sessionId: string, messageId: string): Promise<unknown> {
    const text = await queries.readReceipt(this.#sql, {
      owner: this.#owner,
      session: sessionId,
      messageId,
    });
    return text === null ? null : (JSON.parse(text) as unknown);
  }
}

/**
 * Takes over runs whose process has died, of every owner: each is handed to one caller, which then has a lease on it.
 */
export async function claimExpiredRuns(
  sql: Sql,
  { leaseMs, limit = 50 }: { leaseMs: number; limit?: number },
): Promise<{ ownerId: string; run: RunRecord }[]> {
  const rows = await queries.claimExpired(sql, { leaseMs, limit });
  return rows.map((row) => ({ ownerId: row.owner_id, run: recordOf(row) }));
}

/** Removes chunks of answers finished long enough ago that nobody replays them. */
export async function removeOldChunks(
  sql: Sql,
  { olderThanMs }: { olderThanMs: number },
): Promise<void> {
  await queries.deleteOldChunks(sql, { olderThanMs });
}

function recordOf(row: queries.RunRow): RunRecord {
  return {
    id: row.run_id,
    kind: row.kind,
    sessionId: row.session_id,
    messageId: row.message_id,
    parentId: row.parent_id,
    model: row.model,
    status: row.status,
    plan: row.plan === null ? null : (JSON.parse(row.plan) as unknown),
    problem: row.error,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
  };
}
