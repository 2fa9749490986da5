import type { SessionMessage } from "grove-session";
import type { WindowEntry } from "grove-session/ports";
import type { AnswerStatus } from "@/lib/chat/wire/messages";

export interface RunRecord {
  readonly id: string;
  readonly kind: "answer" | "summary";
  readonly sessionId: string;
  readonly messageId: string;
  readonly parentId: string;
  readonly model: string;
  readonly status: "running" | AnswerStatus;
  /** A `SummaryPlan`, or the choices of an `Order`; `null` for an answer of version 0.2. */
  readonly plan: unknown;
  readonly request: unknown;
  readonly keyId: string | null;
  /** `null`: the person of the space. */
  readonly personId: string | null;
  readonly pause: unknown;
  /** Rises whenever a process takes the run over; only the newest may end it. */
  readonly fence: number;
  readonly problem: string | null;
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
}

export interface SessionMarks {
  readonly writing: boolean;
  readonly waiting: boolean;
  readonly unread: boolean;
}

export interface RunLease {
  readonly token: string;
  /** Time left of the lease, by the database's clock. */
  readonly remainingMs: number;
}

export type HeldRun = Pick<RunRecord, "id" | "fence">;

export interface RunEnd {
  readonly status: AnswerStatus;
  readonly from?: readonly RunRecord["status"][] | undefined;
  readonly receipt?: object | undefined;
  readonly problem?: string | undefined;
  readonly pause?: object | undefined;
  readonly answer?:
    | {
        readonly sessionId: string;
        readonly message: SessionMessage;
        /** `under` a message, `behind` the newest one without showing it, or `instead` of what is stored of it. */
        readonly place: { readonly under: string } | "behind" | "instead";
      }
    | undefined;
}

export type NewRun = Pick<RunRecord, "id" | "sessionId" | "messageId" | "parentId" | "model"> & {
  readonly kind?: RunRecord["kind"] | undefined;
  readonly plan?: unknown;
  readonly request?: unknown;
  readonly keyId?: string | undefined;
  readonly reserved?: number | undefined;
};

/** The database counts this month and day; `null` for no limit. */
export interface RunBudget {
  /** The person's own first, then that of their temporary chats. */
  readonly ownerIds: readonly string[];
  readonly messages: number | null;
  readonly dollars: number | null;
  readonly keyDollars: number | null;
}

export type BudgetRefusal = "messages" | "dollars" | "key";

export interface Question {
  readonly message: SessionMessage;
  /** `null` makes a root, omitted continues the newest message shown. */
  readonly parentId: string | null | undefined;
}

export interface StartedRun {
  readonly run: RunRecord;
  readonly started: boolean;
  readonly asked: WindowEntry | null;
}

export interface EndedRun {
  readonly stored: "added" | "changed" | null;
  readonly parentId: string | null;
}

export interface RunStore {
  /**
   * Returns an existing run; `null` above the limit. @throws {MessageConflictError} when the id belongs to another
   * session. @throws {SessionNotFoundError} when it was deleted or kept meanwhile.
   */
  start(
    run: NewRun,
    leaseMs: number,
    limits: { readonly maxRunning: number },
  ): Promise<StartedRun | null>;
  startWithin(
    budget: RunBudget | null,
    run: NewRun,
    limits: { readonly leaseMs: number; readonly maxRunning: number },
  ): Promise<StartedRun | BudgetRefusal | null>;
  /**
   * The question is stored with the run, both or neither. `"apart"`, with nothing stored, for a question that joins
   * other appends or cannot be appended. @throws {MessageConflictError} when the id belongs to the answer of another
   * question.
   */
  ask(
    question: Question,
    budget: RunBudget | null,
    run: NewRun,
    limits: { readonly leaseMs: number; readonly maxRunning: number },
  ): Promise<StartedRun | BudgetRefusal | "apart" | null>;
  /** True for an existing run, and for a new answer below the limits. */
  mayStart(
    runId: string,
    limits: {
      readonly maxRunning: number;
      readonly ofKey?: { readonly id: string; readonly maxRunning: number } | undefined;
    },
  ): Promise<boolean>;
  get(runId: string): Promise<RunRecord | null>;
  running(sessionId?: string): Promise<RunRecord[]>;
  marks(sessionIds: readonly string[]): Promise<ReadonlyMap<string, SessionMarks>>;
  /** False when no answer of the session was unread. */
  markRead(sessionId: string): Promise<boolean>;
  openSummaries(sessionId: string): Promise<RunRecord[]>;
  newestSummary(sessionId: string): Promise<RunRecord | null>;
  forgetSummary(runId: string): Promise<boolean>;
  /** `null` when the run has ended, or another process has taken it over. */
  heartbeat(run: HeldRun, leaseMs: number): Promise<{ stopRequested: boolean } | null>;
  requestStop(runId: string): Promise<boolean>;
  leaseOf(runId: string): Promise<RunLease | null>;
  /** Takes over a run whose lease is still `token`; `null` when it was renewed or has ended. */
  claim(
    runId: string,
    lease: { readonly token: string; readonly leaseMs: number },
  ): Promise<RunRecord | null>;
  appendChunks(runId: string, from: number, chunks: readonly unknown[]): Promise<void>;
  readChunks(runId: string, from: number): Promise<unknown[]>;
  /** Nothing is stored when another process holds the run. */
  saveReceipt(run: HeldRun, receipt: object, reserved?: number): Promise<void>;
  /**
   * Ends a run and stores its answer, both or neither; `null`, with nothing stored, for a status outside `from` or a
   * run taken over. @throws {MessageConflictError} @throws {MessageNotFoundError} @throws {SessionNotFoundError}
   */
  end(run: HeldRun, end: RunEnd): Promise<EndedRun | null>;
  finish(
    runId: string,
    status: AnswerStatus,
    end?: Pick<RunEnd, "receipt" | "problem" | "pause">,
  ): Promise<void>;
  /**
   * Changes a pause that is still `from`; `null` when it changed or ended. A run that goes on begins its chunks again.
   */
  decide(
    runId: string,
    decision: {
      readonly from: object;
      readonly to: object;
      readonly status: RunRecord["status"];
      readonly leaseMs: number;
    },
  ): Promise<RunRecord | null>;
  /** A running run's question with its answer, if any; `null` when it is over. */
  question(runId: string, questionId: string): Promise<unknown>;
  /** `null` removes the question with its answer. */
  changeQuestion(runId: string, questionId: string, value: object | null): Promise<void>;
  /** False for all but the first of several answers, and for a run that has ended. */
  answerQuestion(runId: string, questionId: string, value: object): Promise<boolean>;
  receiptOf(sessionId: string, messageId: string): Promise<unknown>;
}
