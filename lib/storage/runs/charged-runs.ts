import { and, asc, eq, lt, notExists, sql } from "drizzle-orm";
import {
  asSpace,
  type PersonId,
  type PersonInSpace,
  type SpaceId,
} from "@/lib/chat/core/person-in-space";
import type {
  BudgetRefusal,
  EndedRun,
  HeldRun,
  NewRun,
  Question,
  RunBudget,
  RunEnd,
  RunRecord,
  RunStore,
  StartedRun,
} from "@/lib/chat/core/run-store";
import type { UsageEntry } from "@/lib/chat/core/usage-log";
import {
  chatRun,
  chatUsage,
  drizzleOn,
  type Sql,
  storableCost,
  storableCount,
} from "@/lib/postgres/storage";
import { PostgresRunStore, type RunStoreOptions } from "./postgres-run-store";
import { PostgresUsage } from "./postgres-usage";

const heldMs = 10 * 60 * 1_000;

export class ProjectCharges {
  readonly #sql: Sql;
  readonly #person: PersonId;
  readonly #space: SpaceId;

  /** @param sql may reach rows of the person. */
  constructor(database: Sql, { personId, spaceId }: PersonInSpace) {
    this.#sql = database;
    this.#person = personId;
    this.#space = spaceId;
  }

  /** @param budget `null`: whatever the limits say. */
  async hold(
    {
      id,
      kind = "answer",
      model,
      reserved = 0,
      keyId = null,
    }: Pick<NewRun, "id" | "kind" | "model" | "reserved"> & {
      readonly keyId?: string | null | undefined;
    },
    budget: RunBudget | null,
  ): Promise<BudgetRefusal | "held" | "known"> {
    const [row] = await this.#sql<{ said: BudgetRefusal | "held" | "known" }[]>`
      select chat_hold(
        ${this.#person}, ${this.#holdId(id)}, ${this.#space}, ${kind}, ${model}, ${reserved}, ${heldMs},
        ${budget && [...budget.ownerIds]}, ${budget?.messages ?? null}, ${budget?.dollars ?? null}, ${keyId},
        ${budget?.keyDollars ?? null}
      ) as said`;
    return row?.said ?? "known";
  }

  async lower(runId: string, reserved: number): Promise<void> {
    await this.#db.update(chatUsage).set({ charge: reserved }).where(this.#isHold(runId));
  }

  async release(runId: string): Promise<void> {
    await this.#db.delete(chatUsage).where(this.#isHold(runId));
  }

  async releaseUnstarted(runId: string): Promise<void> {
    const { ownerId, runId: id, status } = chatRun;
    const running = this.#db
      .select({ id })
      .from(chatRun)
      .where(and(eq(ownerId, this.#space), eq(id, runId), eq(status, "running")));
    await this.#db.delete(chatUsage).where(and(this.#isHold(runId), notExists(running)));
  }

  /** A report replaces an estimate of the same id. */
  async record({ id, isReported, ...entry }: UsageEntry): Promise<void> {
    const { kind, model, cost, charge = null, keyId = null } = entry;
    await this.#sql`
      insert into chat_usage as known (
        owner_id, usage_id, space_id, kind, session_id, model, input_tokens, cached_tokens, output_tokens, cost, charge, reported,
        key_id
      )
      values (
        ${this.#person}, ${`${this.#space} ${id}`}, ${this.#space}, ${kind}, '', ${model},
        ${storableCount(entry.inputTokens)}, ${storableCount(entry.cachedTokens)}, ${storableCount(entry.outputTokens)},
        ${storableCost(cost)}, ${storableCost(charge)}, ${isReported}, ${keyId}
      )
      on conflict (owner_id, usage_id) do update set
        input_tokens = excluded.input_tokens, cached_tokens = excluded.cached_tokens,
        output_tokens = excluded.output_tokens, cost = excluded.cost, charge = excluded.charge, reported = true
      where excluded.reported and not known.reported`;
  }

  get #db() {
    return drizzleOn(this.#sql);
  }

  #holdId(runId: string): string {
    return `held ${this.#space} ${runId}`;
  }

  #isHold(runId: string) {
    return and(eq(chatUsage.ownerId, this.#person), eq(chatUsage.usageId, this.#holdId(runId)));
  }
}

/** A person with limits holds the possible cost from before the start until the end. */
export class ChargedRunStore extends PostgresRunStore {
  readonly #sql: Sql;
  readonly #owner: string;
  readonly #charges: ProjectCharges;

  constructor(options: RunStoreOptions, charges: ProjectCharges) {
    super(options);
    this.#sql = options.sql;
    this.#owner = options.ownerId;
    this.#charges = charges;
  }

  /** A hold belongs to an answer that began within the limits. */
  override async start(
    given: NewRun,
    leaseMs: number,
    limits: Parameters<RunStore["start"]>[2],
  ): Promise<StartedRun | null> {
    const started = await this.#holding(null, given, () => super.start(given, leaseMs, limits));
    return typeof started === "string" ? null : started;
  }

  override startWithin(
    budget: RunBudget | null,
    given: NewRun,
    limits: Parameters<RunStore["startWithin"]>[2],
  ): Promise<StartedRun | BudgetRefusal | null> {
    return this.#held(budget, given, () => super.startWithin(null, given, limits));
  }

  override ask(
    question: Question,
    budget: RunBudget | null,
    given: NewRun,
    limits: Parameters<RunStore["ask"]>[3],
  ): Promise<StartedRun | BudgetRefusal | "apart" | null> {
    return this.#held(budget, given, () => super.ask(question, null, given, limits));
  }

  override async saveReceipt(run: HeldRun, receipt: object, reserved?: number): Promise<void> {
    await super.saveReceipt(run, receipt, reserved);
    if (reserved !== undefined) await this.#charges.lower(run.id, reserved);
  }

  override async end(run: HeldRun, end: RunEnd): Promise<EndedRun | null> {
    const ended = await super.end(run, end);
    if (ended) await this.#charges.release(run.id);
    return ended;
  }

  override async decide(
    runId: string,
    decision: Parameters<RunStore["decide"]>[1],
  ): Promise<RunRecord | null> {
    const goesOn = decision.status === "running";
    const held = goesOn ? await this.#pausedRun(runId) : null;
    // The message was counted at its start; as an answer it would count twice.
    if (held) await this.#charges.hold({ id: runId, kind: "summary", ...held }, null);
    const decided = await super.decide(runId, decision);
    if (held && decided === null) await this.#charges.releaseUnstarted(runId);
    return decided;
  }

  async #pausedRun(
    runId: string,
  ): Promise<{ model: string; reserved: number; keyId: string | null } | null> {
    const { model, reserved, keyId } = chatRun;
    const [found] = await drizzleOn(this.#sql)
      .select({ model, keyId, reserved: sql<number>`coalesce(${reserved}, 0)` })
      .from(chatRun)
      .where(
        and(
          eq(chatRun.ownerId, this.#owner),
          eq(chatRun.runId, runId),
          eq(chatRun.status, "paused"),
        ),
      );
    return found ?? null;
  }

  async #held<Started extends StartedRun | BudgetRefusal | "apart" | null>(
    budget: RunBudget | null,
    given: NewRun,
    start: () => Promise<Started>,
  ): Promise<Started | BudgetRefusal> {
    if (budget === null) return start();
    return this.#holding(budget, given, start);
  }

  async #holding<Started extends StartedRun | BudgetRefusal | "apart" | null>(
    budget: RunBudget | null,
    given: NewRun,
    start: () => Promise<Started>,
  ): Promise<Started | BudgetRefusal> {
    const held = await this.#charges.hold(given, budget);
    if (held !== "held" && held !== "known") return held;
    let started: Started | null = null;
    try {
      started = await start();
      return started;
    } finally {
      const begins = typeof started === "object" && started?.started === true;
      if (held === "held" && !begins) await this.#charges.releaseUnstarted(given.id);
    }
  }
}

export class ChargedUsage extends PostgresUsage {
  readonly #charges: ProjectCharges;

  constructor(database: Sql, { personId, spaceId }: PersonInSpace, charges: ProjectCharges) {
    super(database, spaceId, personId);
    this.#charges = charges;
  }

  /** The person's first: recovery records both again, should the process die between. */
  override async record(entry: UsageEntry): Promise<boolean> {
    let isNew = false;
    try {
      await this.#charges.record(entry);
    } finally {
      isNew = await super.record(entry);
    }
    return isNew;
  }
}

export async function sweepHolds(pool: Sql, { most }: { most: number }): Promise<void> {
  const db = drizzleOn(pool);
  const over = await db
    .select({ ownerId: chatUsage.ownerId, id: chatUsage.usageId, spaceId: chatUsage.spaceId })
    .from(chatUsage)
    .where(lt(chatUsage.reservedUntil, sql`now()`))
    .orderBy(asc(chatUsage.reservedUntil), asc(chatUsage.ownerId), asc(chatUsage.usageId))
    .limit(most);
  for (const { ownerId, id, spaceId } of over) {
    const space = asSpace(spaceId ?? ownerId);
    const isHold = and(eq(chatUsage.ownerId, ownerId), eq(chatUsage.usageId, id));
    const [running] = await db
      .select({ id: chatRun.runId })
      .from(chatRun)
      .where(
        and(
          eq(chatRun.ownerId, space),
          eq(chatRun.runId, id.slice(`held ${space} `.length)),
          eq(chatRun.status, "running"),
        ),
      );
    const reservedUntil = sql`now() + ${heldMs} * interval '1 millisecond'`;
    if (running) await db.update(chatUsage).set({ reservedUntil }).where(isHold);
    else await db.delete(chatUsage).where(isHold);
  }
}
