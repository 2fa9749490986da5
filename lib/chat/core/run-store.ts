import type { AnswerStatus } from "@/lib/chat/wire/messages";
import type { SessionMessage } from "@/lib/session";

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
  /** A program's request; `null` for a person's. */
  readonly request: unknown;
  /** The key of the program. */
  readonly keyId: string | null;
  /** A `Pause`; `null` for a run that never waited. */
  readonly pause: unknown;
  /** Rises whenever a process takes the run over; only the newest may end it. */
  readonly fence: number;
  /** Why a summary failed, as a sentence. */
  readonly problem: string | null;
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
}

/** Of answers in one session that a list of sessions shows. */
export interface SessionMarks {
  readonly writing: boolean;
  /** An answer waits for the person's approval. */
  readonly waiting: boolean;
  /** An answer ended that no browser has shown. */
  readonly unread: boolean;
}

interface RunLease {
  /** Changes with each heartbeat. */
  readonly token: string;
  /** By the clock of the database. */
  readonly remainingMs: number;
}

/** A run as the process that writes or recovers it knows it. */
export type HeldRun = Pick<RunRecord, "id" | "fence">;

export interface RunEnd {
  readonly status: AnswerStatus;
  /** Default: `running`. */
  readonly from?: readonly RunRecord["status"][] | undefined;
  /** Its fields are added to the stored one. */
  readonly receipt?: object | undefined;
  readonly problem?: string | undefined;
  readonly pause?: object | undefined;
  readonly answer?: EndedAnswer | undefined;
}

export interface EndedAnswer {
  readonly sessionId: string;
  readonly message: SessionMessage;
  /** `under` a message, `behind` the newest one without showing it, or `instead` of what is stored of it. */
  readonly place: { readonly under: string } | "behind" | "instead";
}

export interface RunEnded {
  readonly stored: "added" | "changed" | null;
  readonly parentId: string | null;
}

/** With a plan it is a summary. */
export type NewRun = Pick<RunRecord, "id" | "sessionId" | "messageId" | "parentId" | "model"> & {
  readonly plan?: unknown;
  readonly request?: unknown;
  readonly keyId?: string | undefined;
  /** Dollars that count towards limits while it runs. */
  readonly reserved?: number | undefined;
};

/** Limits of a person, against which the database counts this month and day; `null` for none. */
export interface RunBudget {
  /** The person's own first, then that of their temporary chats. */
  readonly ownerIds: readonly string[];
  readonly messages: number | null;
  readonly dollars: number | null;
  readonly keyDollars: number | null;
}

/** The limit of a budget that keeps a run from starting. */
export type BudgetRefusal = "messages" | "dollars" | "key";

export interface RunStore {
  /**
   * Returns an existing run of `messageId`; `null` above the limit.
   *
   * @throws {MessageConflictError} when the id belongs to another session.
   * @throws {SessionNotFoundError} when it was deleted or kept meanwhile.
   */
  start(
    run: NewRun,
    leaseMs: number,
    limits: { readonly maxRunning: number },
  ): Promise<{ run: RunRecord; started: boolean } | null>;
  /** As `start`, one run of a person after another. */
  startWithin(
    budget: RunBudget,
    run: NewRun,
    limits: { readonly leaseMs: number; readonly maxRunning: number },
  ): Promise<{ run: RunRecord; started: boolean } | BudgetRefusal | null>;
  /** Returns true for an existing run, and for a new answer below the limit. */
  mayStart(runId: string, limits: { readonly maxRunning: number }): Promise<boolean>;
  get(runId: string): Promise<RunRecord | null>;
  running(sessionId?: string): Promise<RunRecord[]>;
  /** By session; those without a mark are missing. */
  marks(sessionIds: readonly string[]): Promise<ReadonlyMap<string, SessionMarks>>;
  /** Returns false when no answer of the session was unread. */
  markRead(sessionId: string): Promise<boolean>;
  /** Includes the newest one if it failed. */
  openSummaries(sessionId: string): Promise<RunRecord[]>;
  /** Of any status. */
  newestSummary(sessionId: string): Promise<RunRecord | null>;
  /** Returns false when there was none. */
  forgetSummary(runId: string): Promise<boolean>;
  /** Extends the lease; `null` when the run has ended, or another process has taken it over. */
  heartbeat(run: HeldRun, leaseMs: number): Promise<{ stopRequested: boolean } | null>;
  /** Returns false when it was not running. */
  requestStop(runId: string): Promise<boolean>;
  /** `null` when it is not running. */
  leaseOf(runId: string): Promise<RunLease | null>;
  /** Takes over a run whose lease is still `token`; `null` when it was renewed or has ended. */
  claim(
    runId: string,
    lease: { readonly token: string; readonly leaseMs: number },
  ): Promise<RunRecord | null>;
  appendChunks(runId: string, from: number, chunks: readonly unknown[]): Promise<void>;
  readChunks(runId: string, from: number): Promise<unknown[]>;
  /** Stores what the model was sent, and what the run reserves once it is known better; nothing when another process holds the run. */
  saveReceipt(run: HeldRun, receipt: unknown, reserved?: number): Promise<void>;
  /**
   * Ends a run and stores its answer, both or neither; `null`, and nothing is stored, when it has another status than
   * those in `from`, or another process has taken it over.
   *
   * @throws {MessageConflictError} @throws {MessageNotFoundError} @throws {SessionNotFoundError}
   */
  end(run: HeldRun, end: RunEnd): Promise<RunEnded | null>;
  /** As `end`, though another process may hold the run. */
  finish(
    runId: string,
    status: AnswerStatus,
    end?: Pick<RunEnd, "receipt" | "problem" | "pause">,
  ): Promise<void>;
  /** Changes a pause that is still `from`; `null` when it changed or ended. A run that goes on begins its chunks again. */
  decide(
    runId: string,
    decision: {
      readonly from: object;
      readonly to: object;
      readonly status: RunRecord["status"];
      readonly leaseMs: number;
    },
  ): Promise<RunRecord | null>;
  /** A question of a running run with its answer, if any; `null` when it is over. */
  question(runId: string, questionId: string): Promise<unknown>;
  /** Stores a question, or removes it with its answer. */
  changeQuestion(runId: string, questionId: string, value: object | null): Promise<void>;
  /** Of several answers the first counts; returns false for others, and for a run that has ended. */
  answerQuestion(runId: string, questionId: string, value: object): Promise<boolean>;
  receiptOf(sessionId: string, messageId: string): Promise<unknown>;
}
