import { and, asc, eq, isNull, type SQL, sql } from "drizzle-orm";
import { MessageConflictError, SessionNotFoundError } from "grove-session";
import type { WindowEntry } from "grove-session/ports";
import type { PersonId } from "@/lib/chat/core/person-in-space";
import type {
  BudgetRefusal,
  EndedRun,
  HeldRun,
  NewRun,
  Question,
  RunBudget,
  RunEnd,
  RunLease,
  RunRecord,
  RunStore,
  SessionMarks,
  StartedRun,
} from "@/lib/chat/core/run-store";
import {
  appendAlone,
  chatRun,
  chatSession,
  chatStream,
  type Database,
  drizzleOn,
  isRefusal,
  messageColumns,
  placeOf,
  postgresFailure,
  type Sql,
  siblingsOf,
  storableJson,
  storableJsonInSlices,
  translateFailure,
} from "@/lib/postgres/storage";
import { appendChunks, readChunks } from "./run-chunks";
import { endRun } from "./run-end";
import {
  isToken,
  leaseEnd,
  leaseToken,
  nextFence,
  remainingMs,
  run,
  sessionIsThere,
} from "./run-row";
import { forgetSummary, newestSummary, openSummaries } from "./summary-runs";

type StartLimits = Parameters<RunStore["startWithin"]>[2];

interface StartRow {
  readonly refusal: BudgetRefusal | "running" | null;
  readonly started_at: Date | null;
  readonly pos: number | null;
  readonly asked_at: Date | null;
  readonly parent_id: string | null;
  readonly sibling_ids: string[] | null;
}

const nothingStarted: StartRow = {
  ...{ refusal: null, started_at: null, pos: null, asked_at: null },
  ...{ parent_id: null, sibling_ids: null },
};

export interface RunStoreOptions {
  readonly sql: Sql;
  readonly chunks: Sql;
  readonly ownerId: string;
  readonly personId?: PersonId | undefined;
}

export class PostgresRunStore implements RunStore {
  readonly #sql: Sql;
  readonly #db: Database;
  readonly #chunks: Database;
  readonly #owner: string;
  readonly #person: PersonId | null;

  /** `chunks` commits without waiting for the disk: a crash loses at most the last moments of a running answer. */
  constructor({ sql, chunks, ownerId, personId }: RunStoreOptions) {
    this.#sql = sql;
    this.#db = drizzleOn(sql);
    this.#chunks = drizzleOn(chunks);
    this.#owner = ownerId;
    this.#person = personId ?? null;
  }

  async start(
    given: NewRun,
    leaseMs: number,
    { maxRunning }: { readonly maxRunning: number },
  ): Promise<StartedRun | null> {
    const started = await this.startWithin(null, given, { leaseMs, maxRunning });
    return typeof started === "string" ? null : started;
  }

  async startWithin(
    budget: RunBudget | null,
    given: NewRun,
    limits: StartLimits,
  ): Promise<StartedRun | BudgetRefusal | null> {
    return this.#started(given, await this.#insert(budget, given, limits));
  }

  async ask(
    question: Question,
    budget: RunBudget | null,
    given: NewRun,
    limits: StartLimits,
  ): Promise<StartedRun | BudgetRefusal | "apart" | null> {
    const session = { owner: this.#owner, session: given.sessionId };
    const insert = () => this.#insert(budget, given, limits, question);
    const row = await appendAlone(this.#sql, session, insert).catch((error: unknown) => {
      if (postgresFailure(error)?.constraint_name === "chat_run_message") return nothingStarted;
      if (isRefusal(error)) return null;
      throw error;
    });
    if (row) return this.#started(given, row, question);
    const known = await this.get(given.id);
    if (known && !isSameAnswer(known, given)) throw new MessageConflictError(given.messageId);
    return "apart";
  }

  async #started(
    given: NewRun,
    row: StartRow,
    question?: Question,
  ): Promise<StartedRun | BudgetRefusal | null> {
    if (row.refusal !== null && row.refusal !== "running") return row.refusal;
    const asked = question ? askedIn(row, question) : null;
    if (row.started_at)
      return { run: this.#startedRun(given, row.started_at), started: true, asked };
    const [present] = await this.#db
      .select(run)
      .from(chatRun)
      .where(and(this.#ofSession(given.sessionId), eq(chatRun.messageId, given.messageId)));
    if (present && (!question || isSameAnswer(present, given)))
      return { run: present, started: false, asked };
    if (present || (await this.get(given.id))) throw new MessageConflictError(given.messageId);
    await this.#assertSession(given.sessionId);
    return null;
  }

  async mayStart(
    runId: string,
    { maxRunning, ofKey }: Parameters<RunStore["mayStart"]>[1],
  ): Promise<boolean> {
    const [row] = await this.#sql<{ may: boolean }[]>`
      select (
        select count(*) < ${maxRunning}
          and count(*) filter (where run.key_id = ${ofKey?.id ?? null})
            < ${ofKey?.maxRunning ?? maxRunning}::integer
        from chat_run run
        join chat_session session on session.owner_id = run.owner_id and session.session_id = run.session_id
        where run.owner_id = ${this.#owner} and run.kind = 'answer' and run.status = 'running'
          and session.deleted_at is null
      )
      or exists (select from chat_run run where run.owner_id = ${this.#owner} and run.run_id = ${runId}) as may`;
    return row?.may ?? false;
  }

  async get(runId: string): Promise<RunRecord | null> {
    const [found] = await this.#db.select(run).from(chatRun).where(this.#is(runId));
    return found ?? null;
  }

  running(sessionId?: string): Promise<RunRecord[]> {
    return this.#db
      .select(run)
      .from(chatRun)
      .where(
        and(
          eq(chatRun.ownerId, this.#owner),
          eq(chatRun.kind, "answer"),
          eq(chatRun.status, "running"),
          sessionId === undefined ? undefined : eq(chatRun.sessionId, sessionId),
          sessionIsThere(this.#db),
        ),
      )
      .orderBy(asc(chatRun.startedAt), asc(chatRun.runId))
      .limit(200);
  }

  async marks(sessionIds: readonly string[]): Promise<ReadonlyMap<string, SessionMarks>> {
    const rows = await this.#sql<(SessionMarks & { id: string })[]>`
      select run.session_id as id, bool_or(run.status = 'running') as writing,
        bool_or(run.status = 'paused') as waiting, bool_or(run.unread) as unread
      from chat_run run
      where run.owner_id = ${this.#owner} and run.session_id = any (${[...sessionIds]})
        and run.kind = 'answer' and (run.status in ('running', 'paused') or run.unread)
        and (run.status = 'running' or exists (
          select from chat_message message
          where message.owner_id = run.owner_id and message.session_id = run.session_id
            and message.id = run.message_id and message.deletion_id is null
        ))
      group by run.session_id`;
    return new Map(
      rows.map(({ id, writing, waiting, unread }) => [id, { writing, waiting, unread }]),
    );
  }

  async markRead(sessionId: string): Promise<boolean> {
    const read = await this.#db
      .update(chatRun)
      .set({ unread: false })
      .where(and(this.#ofSession(sessionId), eq(chatRun.unread, true)))
      .returning({ id: chatRun.runId });
    return read.length > 0;
  }

  openSummaries(sessionId: string): Promise<RunRecord[]> {
    return openSummaries(this.#db, this.#owner, sessionId);
  }

  newestSummary(sessionId: string): Promise<RunRecord | null> {
    return newestSummary(this.#db, this.#owner, sessionId);
  }

  forgetSummary(runId: string): Promise<boolean> {
    return forgetSummary(this.#db, this.#owner, runId);
  }

  async heartbeat(
    { id, fence }: HeldRun,
    leaseMs: number,
  ): Promise<{ stopRequested: boolean } | null> {
    const [extended] = await this.#db
      .update(chatRun)
      .set({ leaseUntil: leaseEnd(leaseMs) })
      .where(and(this.#is(id), eq(chatRun.status, "running"), eq(chatRun.fence, fence)))
      .returning({ stopRequested: chatRun.stopRequested });
    return extended ?? null;
  }

  async requestStop(runId: string): Promise<boolean> {
    const stopped = await this.#db
      .update(chatRun)
      .set({ stopRequested: true })
      .where(and(this.#is(runId), eq(chatRun.status, "running")))
      .returning({ id: chatRun.runId });
    return stopped.length > 0;
  }

  async leaseOf(runId: string): Promise<RunLease | null> {
    const [found] = await this.#db
      .select({ token: leaseToken, remainingMs })
      .from(chatRun)
      .where(and(this.#is(runId), eq(chatRun.status, "running")));
    return found ?? null;
  }

  async claim(
    runId: string,
    { token, leaseMs }: { readonly token: string; readonly leaseMs: number },
  ): Promise<RunRecord | null> {
    const [claimed] = await this.#db
      .update(chatRun)
      .set({ leaseUntil: leaseEnd(leaseMs), fence: nextFence })
      .where(and(this.#is(runId), eq(chatRun.status, "running"), isToken(token)))
      .returning(run);
    return claimed ?? null;
  }

  async appendChunks(runId: string, from: number, chunks: readonly unknown[]): Promise<void> {
    return appendChunks(this.#chunks, { ownerId: this.#owner, runId, from }, chunks);
  }

  async readChunks(runId: string, from: number): Promise<unknown[]> {
    return readChunks(this.#db, { ownerId: this.#owner, runId, from });
  }

  async saveReceipt({ id, fence }: HeldRun, receipt: object, reserved?: number): Promise<void> {
    await this.#db
      .update(chatRun)
      .set({
        receipt: jsonb(await storableJsonInSlices(receipt)),
        ...(reserved !== undefined && { reserved }),
      })
      .where(and(this.#is(id), eq(chatRun.status, "running"), eq(chatRun.fence, fence)));
  }

  end(run: HeldRun, end: RunEnd): Promise<EndedRun | null> {
    return endRun(this.#sql, { ownerId: this.#owner, run }, end);
  }

  async finish(
    runId: string,
    status: RunEnd["status"],
    end: Pick<RunEnd, "receipt" | "problem" | "pause"> = {},
  ): Promise<void> {
    const known = await this.get(runId);
    if (known) await this.end(known, { ...end, status, from: [known.status] });
  }

  async decide(
    runId: string,
    { from, to, status, leaseMs }: Parameters<RunStore["decide"]>[1],
  ): Promise<RunRecord | null> {
    const goesOn = status === "running";
    const decided = this.#db.$with("decided").as(
      this.#db
        .update(chatRun)
        .set({
          status,
          pause: jsonb(storableJson(to)),
          leaseUntil: leaseEnd(leaseMs),
          stopRequested: false,
          fence: nextFence,
          ...(goesOn && { finishedAt: null }),
        })
        .where(
          and(
            this.#is(runId),
            eq(chatRun.status, "paused"),
            sql`${chatRun.pause} = ${storableJson(from)}::text::jsonb`,
            sessionIsThere(this.#db),
          ),
        )
        .returning(run),
    );
    const before = this.#db.$with("before").as(
      this.#db
        .delete(chatStream)
        .where(
          and(
            eq(chatStream.ownerId, this.#owner),
            eq(chatStream.runId, runId),
            sql`exists (select from decided where status = 'running')`,
          ),
        )
        .returning({ n: chatStream.n }),
    );
    const [record] = await this.#db.with(decided, before).select().from(decided);
    return record ?? null;
  }

  async question(runId: string, questionId: string): Promise<unknown> {
    const [row] = await this.#db
      .select({ questions: chatRun.questions })
      .from(chatRun)
      .where(and(this.#is(runId), eq(chatRun.status, "running")));
    return (row?.questions as Record<string, unknown> | undefined)?.[questionId] ?? null;
  }

  async changeQuestion(runId: string, questionId: string, value: object | null): Promise<void> {
    const without = sql`coalesce(${chatRun.questions}, '{}') - ${questionId}::text`;
    const questions =
      value === null ? sql`nullif(${without}, '{}')` : withQuestion(questionId, value);
    await this.#db.update(chatRun).set({ questions }).where(this.#is(runId));
  }

  async answerQuestion(runId: string, questionId: string, value: object): Promise<boolean> {
    const asked = sql`${chatRun.questions} -> ${questionId}::text`;
    const answered = await this.#db
      .update(chatRun)
      .set({ questions: withQuestion(questionId, value) })
      .where(
        and(
          this.#is(runId),
          eq(chatRun.status, "running"),
          sql`${asked} is not null and not jsonb_exists(${asked}, 'answer')`,
        ),
      )
      .returning({ id: chatRun.runId });
    return answered.length > 0;
  }

  async receiptOf(sessionId: string, messageId: string): Promise<unknown> {
    const [row] = await this.#db
      .select({ receipt: chatRun.receipt })
      .from(chatRun)
      .where(and(this.#ofSession(sessionId), eq(chatRun.messageId, messageId)));
    return row?.receipt ?? null;
  }

  async #assertSession(sessionId: string): Promise<void> {
    const [found] = await this.#db
      .select({ id: chatSession.sessionId })
      .from(chatSession)
      .where(
        and(
          eq(chatSession.ownerId, this.#owner),
          eq(chatSession.sessionId, sessionId),
          isNull(chatSession.deletedAt),
        ),
      );
    if (!found) throw new SessionNotFoundError(sessionId);
  }

  async #insert(
    budget: RunBudget | null,
    { kind = "answer", plan, request, ...given }: NewRun,
    { leaseMs, maxRunning }: StartLimits,
    question?: Question,
  ): Promise<StartRow> {
    const json = (value: unknown) => (value === undefined ? null : storableJson(value));
    try {
      const [row] = await this.#sql<StartRow[]>`
        select refusal, started_at, pos, asked_at, parent_id, sibling_ids
        from chat_start_run(
          ${this.#owner}, ${given.id}, ${kind}, ${given.sessionId}, ${given.messageId}, ${given.parentId},
          ${given.model}, ${json(plan)}::text::jsonb, ${json(request)}::text::jsonb, ${given.keyId ?? null},
          ${given.reserved ?? null}, ${leaseMs}, ${maxRunning}, ${budget && [...budget.ownerIds]},
          ${budget?.messages ?? null}, ${budget?.dollars ?? null}, ${budget?.keyDollars ?? null},
          ${question ? await questionJson(question) : null}::text::json, ${this.#person}
        )`;
      if (!row) throw new Error("A run was neither started nor refused.");
      return row;
    } catch (error) {
      // It was removed while the statement waited for it.
      const isGone = postgresFailure(error)?.constraint_name === "chat_run_session";
      throw isGone ? new SessionNotFoundError(given.sessionId) : translateFailure(error);
    }
  }

  #startedRun(given: NewRun, startedAt: Date): RunRecord {
    const { id, sessionId, messageId, parentId, model } = given;
    const { kind = "answer", plan = null, request = null, keyId = null } = given;
    return {
      ...{ id, kind, sessionId, messageId, parentId, model, status: "running", plan, request },
      ...{ keyId, personId: this.#person, pause: null, fence: 0, problem: null },
      ...{ startedAt, finishedAt: null },
    };
  }

  #ofSession(sessionId: string): SQL | undefined {
    return and(eq(chatRun.ownerId, this.#owner), eq(chatRun.sessionId, sessionId));
  }

  #is(runId: string): SQL | undefined {
    return and(eq(chatRun.ownerId, this.#owner), eq(chatRun.runId, runId));
  }
}

function isSameAnswer(known: RunRecord, given: NewRun): boolean {
  return known.sessionId === given.sessionId && known.parentId === given.parentId;
}

async function questionJson({ message, parentId }: Question): Promise<string> {
  const { content, preview, tsv } = messageColumns(message);
  const place = { place: placeOf({ parentId }), parent: parentId ?? null };
  return JSON.stringify({ id: message.id, content, preview, tsv: await tsv, ...place });
}

function askedIn(row: StartRow, { message }: Question): WindowEntry | null {
  if (row.pos === null || row.asked_at === null) return null;
  return {
    message: { ...message, createdAt: row.asked_at },
    parentId: row.parent_id,
    siblings: siblingsOf(row, message.id),
    ...{ pinned: false, label: null, position: row.pos },
  };
}

function withQuestion(questionId: string, value: object): SQL {
  const named = sql`jsonb_build_object(${questionId}::text, ${storableJson(value)}::text::jsonb)`;
  return sql`coalesce(${chatRun.questions}, '{}') || ${named}`;
}

function jsonb(text: string): SQL {
  return sql`${text}::text::jsonb`;
}
