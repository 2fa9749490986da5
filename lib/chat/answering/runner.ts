import { setTimeout as delay } from "node:timers/promises";
import type { UIMessageChunk } from "ai";
import { SessionError } from "grove-session";
import { goOnWithout } from "@/lib/chat/branches/keep-answer";
import {
  type CompactionRequest,
  recoverSummary,
  type SummaryEvents,
  type SummaryWriting,
  writeSummary,
} from "@/lib/chat/compaction/write-summary";
import { ChatError } from "@/lib/chat/core/chat-error";
import { isDatabaseAway } from "@/lib/chat/core/database-away";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import type { SpaceId } from "@/lib/chat/core/person-in-space";
import type { RunRecord, StartedRun } from "@/lib/chat/core/run-store";
import type { AnswerSpool, RunAddress } from "@/lib/chat/runs/answer-spool";
import { ChunkLog } from "@/lib/chat/runs/chunk-log";
import { leaseMs, orphanedLease, RunLeases, type StallLimits } from "@/lib/chat/runs/lease";
import { followRun, LiveRun, type LiveRuns } from "@/lib/chat/runs/live-runs";
import { partOf } from "@/lib/chat/runs/pause";
import { type RunLimits, reservedDollars, startRun } from "@/lib/chat/runs/start-run";
import type { AnswerStatus } from "@/lib/chat/wire/messages";
import type { ModelErrorDescription } from "@/lib/llm";
import { answer, type Turn } from "./answer";
import { type PreparedInput, prepareInput } from "./answer-input";
import { type Leg, newRunOf, orderOf } from "./order";
import { recoverAnswer, withdrawCalls } from "./recover-answer";

export interface RunEvents extends SummaryEvents {
  started(owner: OwnerData, run: RunRecord): Promise<void> | void;
  finished(owner: OwnerData, run: RunRecord, status: AnswerStatus): Promise<void> | void;
  read(owner: OwnerData, sessionId: string): Promise<void> | void;
  failed(error: unknown): void;
}

export interface RunnerOptions extends Partial<RunLimits> {
  readonly spool?: AnswerSpool | null;
  readonly maxCharacters?: number;
  readonly limits?: StallLimits;
}

type RunOwner = (spaceId: SpaceId, personId: string | null) => OwnerData;

interface RunPlace {
  readonly runId: string;
  readonly part?: number;
  readonly after: number;
  readonly signal: AbortSignal;
}

export class Runner {
  readonly #leases: RunLeases;
  readonly #events: RunEvents;
  readonly #spool: AnswerSpool | null;
  readonly #maxCharacters: number;
  readonly #limits: RunLimits;
  #isEnding = false;

  constructor(
    events: RunEvents,
    {
      spool = null,
      maxCharacters = 1_000_000,
      maxRunning = 8,
      limits,
      assertMayAsk = async () => undefined,
      budgetOf = async (personId) => ({ ownerIds: [personId], messages: null, dollars: null }),
    }: RunnerOptions = {},
  ) {
    this.#limits = { maxRunning, assertMayAsk, budgetOf };
    this.#maxCharacters = maxCharacters;
    this.#events = events;
    this.#spool = spool;
    this.#leases = new RunLeases((error) => events.failed(error), limits);
  }

  get live(): LiveRuns {
    return this.#leases.live;
  }

  /** Refuses early what `start` would, with `more` runs after it. @throws {ChatError} over a limit, or while ending. */
  async assertMayStart(owner: OwnerData, runId: string, more = 0): Promise<void> {
    this.#assertNotEnding();
    const { maxRunning } = this.#limits;
    const [mayStart] = await Promise.all([
      owner.runs.mayStart(runId, { maxRunning: maxRunning - more }),
      this.assertMayAsk(owner).catch(async (error: unknown) => {
        if (!(await owner.runs.get(runId))) throw error;
      }),
    ]);
    if (!mayStart) throw tooManyRuns(maxRunning);
  }

  /** One place stays the person's. */
  get maxForPrograms(): number {
    return Math.max(1, this.#limits.maxRunning - 1);
  }

  assertMayAsk({ personId }: Pick<OwnerData, "personId">): Promise<void> {
    return this.#limits.assertMayAsk(personId);
  }

  get isEnding(): boolean {
    return this.#isEnding;
  }

  #assertNotEnding(): void {
    if (this.#isEnding)
      throw new ChatError("shutting-down", "Grove is stopping. Send it again when it is back.");
  }

  /** A retry returns the existing run. @throws {ChatError} over the limit, or while ending. */
  async start({
    keyDollars,
    ...turn
  }: Pick<Turn, "owner" | "order" | "leg"> & {
    readonly keyDollars?: number | null;
  }): Promise<StartedRun> {
    const { owner, order, leg } = turn;
    this.#assertNotEnding();
    const { resolved, program, parameters, leafStored, question } = leg;
    const { maxOutputTokens } = program ?? parameters ?? {};
    const reserved = reservedDollars(resolved.info, { maxOutputTokens });
    const run = { ...newRunOf(order), reserved };
    const maxRunning = order.keyId === null ? this.#limits.maxRunning : this.maxForPrograms;
    const limits = { ...this.#limits, maxRunning };
    const starting = startRun(limits, { owner, run, keyDollars, leafStored, question });
    const live = new LiveRun();
    const mayBegin = starting.then(
      (known) => known?.started === true,
      () => false,
    );
    void mayBegin.then((begins) => begins || live.stop());
    const asked = question ? starting.then(() => undefined) : leg.leafStored;
    // The caller receives the refusal.
    asked?.catch(() => undefined);
    const input = this.#input(live, { ...turn, leg: { ...leg, leafStored: asked }, mayBegin });
    const known = await starting;
    if (!known) throw tooManyRuns(maxRunning);
    if (known.started) this.#begin({ ...turn, run: known.run, input, live });
    return known;
  }

  resume(owner: OwnerData, run: RunRecord, leg: Leg): void {
    const live = new LiveRun();
    const turn = { owner, leg, order: orderOf(run) };
    this.#begin({ ...turn, run, live, input: this.#input(live, turn) });
  }

  #input(
    live: LiveRun,
    { mayBegin, ...turn }: Pick<Turn, "owner" | "order" | "leg"> & { mayBegin?: Promise<boolean> },
  ): PreparedInput {
    const { owner, order } = turn;
    const onProgress = () => live.noteProgress();
    const keyId = order.keyId ?? undefined;
    return prepareInput({
      ...turn,
      signal: live.signal,
      summarize: (request, act) =>
        this.summarize(owner, { ...request, mayBegin, onProgress, keyId }, act),
    });
  }

  #begin(turn: Omit<Turn, "log" | "limits" | "failed">): void {
    const { owner, run, live } = turn;
    this.live.add(owner.spaceId, { live, record: run });
    const log = new ChunkLog(owner, run.id, {
      spool: this.#spool,
      part: partOf(run),
      answers: () => this.live.count,
    });
    const limits = { maxSteps: 12, maxToolCalls: 100, maxCharacters: this.#maxCharacters };
    const failed = (error: unknown) => this.#events.failed(error);
    void this.#write({ ...turn, log, limits, failed });
    void this.#leases.inBackground(() => this.#events.started(owner, run));
  }

  summarize<Result>(
    owner: OwnerData,
    request: CompactionRequest,
    act: (writing: SummaryWriting) => Promise<Result>,
  ): Promise<Result> {
    const writers = { leases: this.#leases, events: this.#events, limits: this.#limits };
    return writeSummary(writers, owner, request, act);
  }

  /** Stops the run in any process, and settles one whose process is gone. @throws {ChatError} */
  async stop(owner: OwnerData, runId: string): Promise<void> {
    const live = this.live.get(owner.spaceId, runId);
    if (live) return live.stop();
    if (await owner.runs.requestStop(runId)) return this.#endOrphan(owner, runId);
    if (!(await owner.runs.get(runId)))
      throw new ChatError("run-not-found", "This answer or summary does not exist.");
    await this.withdraw(owner, runId);
  }

  async withdraw(owner: OwnerData, runId: string): Promise<void> {
    const run = await withdrawCalls(owner, runId, (error) => this.#events.failed(error));
    if (run) await this.#events.finished(owner, run, "stopped");
  }

  async markRead(owner: OwnerData, sessionId: string): Promise<void> {
    if (await owner.runs.markRead(sessionId)) await this.#events.read(owner, sessionId);
  }

  async #endOrphan(owner: OwnerData, runId: string): Promise<void> {
    const token = await orphanedLease(owner.runs, runId);
    if (token === null) return;
    const orphan = await owner.runs.claim(runId, { token, leaseMs });
    if (!orphan) return;
    try {
      await this.recover(owner, orphan);
    } catch (error) {
      // The stop is noted; once the lease is over, the next sweep ends the run.
      if (isDatabaseAway(error) || error instanceof SessionError) throw error;
      this.#events.failed(error);
    }
  }

  /**
   * Waits up to `drainMs` for the running ones, then ends the rest as interrupted.
   *
   * @returns the number of runs not stored within `storeMs`; the spool holds their text.
   */
  async end({ drainMs, storeMs }: { drainMs: number; storeMs: number }): Promise<number> {
    this.#isEnding = true;
    await this.#emptiedWithin(drainMs);
    this.live.interruptAll();
    await this.#emptiedWithin(storeMs);
    return this.live.count;
  }

  async dismissSummary(owner: OwnerData, run: RunRecord): Promise<void> {
    if (await owner.runs.forgetSummary(run.id)) await this.#events.summaryDismissed(owner, run);
  }

  async find(owner: OwnerData, runId: string): Promise<RunRecord | null> {
    return this.live.recordOf(owner.spaceId, runId) ?? owner.runs.get(runId);
  }

  async require(
    owner: OwnerData,
    { sessionId, runId }: { sessionId: string; runId: string },
  ): Promise<RunRecord> {
    const run = await this.find(owner, runId);
    if (run?.sessionId !== sessionId)
      throw new ChatError("run-not-found", "This answer or summary does not exist.");
    return run;
  }

  async *follow(owner: OwnerData, place: RunPlace): AsyncGenerator<UIMessageChunk> {
    for await (const chunks of this.followBatches(owner, place)) yield* chunks;
  }

  followBatches(
    owner: OwnerData,
    { runId, part = 0, after, signal }: RunPlace,
  ): AsyncGenerator<readonly UIMessageChunk[]> {
    const record = this.live.recordOf(owner.spaceId, runId);
    const live =
      record && partOf(record) === part ? this.live.get(owner.spaceId, runId) : undefined;
    return followRun({ runs: owner.runs, live, runId, part, after, signal });
  }

  /** Keeps a partial answer, but no partial summary. @param problem `null`: its process is gone. */
  async recover(
    owner: OwnerData,
    run: RunRecord,
    problem: ModelErrorDescription | null = null,
    chunks: readonly UIMessageChunk[] = [],
  ): Promise<void> {
    const release = this.#leases.hold(owner, run);
    const failed = (error: unknown) => this.#events.failed(error);
    try {
      if (run.kind === "summary") {
        const ended = await recoverSummary(owner, run, problem);
        if (ended) await this.#events.summaryFinished(owner, ended);
      } else {
        const spool = this.#spool;
        const status = await recoverAnswer(owner, run, { spool, problem, chunks, failed });
        if (status) {
          await this.#leases.inBackground(() => goOnAfter(owner, run, status));
          await this.#events.finished(owner, run, status);
        }
      }
    } finally {
      release();
    }
  }

  /** A spooled answer of a deleted session waits for its restoration. */
  async recoverSpooled(ownerOf: RunOwner): Promise<void> {
    for (const address of (await this.#spool?.runs()) ?? []) {
      if (this.live.get(address.ownerId, address.runId)) continue;
      await this.#leases.inBackground(() => this.#recoverSpooled(ownerOf, address));
    }
  }

  async #recoverSpooled(ownerOf: RunOwner, address: RunAddress): Promise<void> {
    const run = await ownerOf(address.ownerId, null).runs.get(address.runId);
    const owner = ownerOf(address.ownerId, run?.personId ?? null);
    if (run?.status === "running") return;
    if (run?.status !== "interrupted") await this.#spool?.remove(address);
    else if (await owner.store.sessions.get(run.sessionId)) await this.recover(owner, run);
  }

  async #emptiedWithin(ms: number): Promise<void> {
    const over = new AbortController();
    const waiting = delay(ms, undefined, { signal: over.signal }).catch(() => undefined);
    await Promise.race([this.live.emptied(), waiting]);
    over.abort();
  }

  async #write(turn: Turn): Promise<void> {
    const { owner, run, live, input } = turn;
    const release = this.#leases.hold(owner, run, (problem) =>
      this.recover(owner, run, problem, live.chunks),
    );
    const status = await this.#attempt(turn);
    if (status) await this.#leases.inBackground(() => goOnAfter(owner, run, status));
    void this.#leases.inBackground(() => input.end());
    release();
    // First, because viewers wait for the end of the stream.
    this.live.close(owner.spaceId, run.id, live);
    if (status) await this.#events.finished(owner, run, status);
  }

  async #attempt(turn: Turn): Promise<AnswerStatus | null> {
    try {
      return await answer(turn);
    } catch (error) {
      this.#events.failed(error);
      const { owner, run, live } = turn;
      // If this fails, too, the lease expires, and the next sweep stores the text.
      await this.#leases.inBackground(() => this.recover(owner, run, null, live.chunks));
      return null;
    }
  }
}

async function goOnAfter(owner: OwnerData, run: RunRecord, status: AnswerStatus): Promise<void> {
  if (status === "complete" || status === "paused") return;
  await goOnWithout(owner, run).catch((error: unknown) => {
    if (!(error instanceof SessionError)) throw error;
  });
}

function tooManyRuns(maxRunning: number): ChatError {
  return new ChatError(
    "too-many-runs",
    `${maxRunning === 1 ? "1 answer is" : `${maxRunning} answers are`} already being written. Wait for one to finish or stop one.`,
  );
}
