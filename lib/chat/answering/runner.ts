import { setTimeout as delay } from "node:timers/promises";
import type { UIMessageChunk } from "ai";
import { goOnWithout } from "@/lib/chat/branches/keep-answer";
import { recoverSummary } from "@/lib/chat/compaction/recover-summary";
import {
  type CompactionRequest,
  type SummaryEvents,
  type SummaryWriting,
  writeSummary,
} from "@/lib/chat/compaction/write-summary";
import { ChatError } from "@/lib/chat/core/chat-error";
import { isDatabaseAway } from "@/lib/chat/core/database-away";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import type { NewRun, RunRecord } from "@/lib/chat/core/run-store";
import type { AnswerSpool, RunAddress } from "@/lib/chat/runs/answer-spool";
import { ChunkLog } from "@/lib/chat/runs/chunk-log";
import { leaseMs, orphanedLease, RunLeases, type StallLimits } from "@/lib/chat/runs/lease";
import { followRun, LiveRun, type LiveRuns } from "@/lib/chat/runs/live-runs";
import { partOf } from "@/lib/chat/runs/pause";
import { reservedDollars } from "@/lib/chat/runs/reserve";
import { type RunLimits, startRun } from "@/lib/chat/runs/start-run";
import type { AnswerStatus } from "@/lib/chat/wire/messages";
import type { ModelErrorDescription } from "@/lib/llm";
import { SessionError } from "@/lib/session";
import type { Block } from "@/lib/session/internal";
import type { AnswerSettings } from "./answer-input";
import type { KeptAnswer } from "./kept-answer";
import { prepareAnswer } from "./prepare-answer";
import { recoverAnswer } from "./recover-answer";
import { withdrawCalls } from "./withdraw-calls";
import {
  type AnswerEnd,
  type Continued,
  type WriteAnswerOptions,
  writeAnswer,
} from "./write-answer";

export interface RunEvents extends SummaryEvents {
  started(owner: OwnerData, run: RunRecord): Promise<void> | void;
  finished(owner: OwnerData, run: RunRecord, status: AnswerStatus): Promise<void> | void;
  read(owner: OwnerData, sessionId: string): Promise<void> | void;
  failed(error: unknown): void;
}

export interface StartOptions extends AnswerSettings {
  readonly owner: OwnerData;
  readonly run: NewRun;
  /** The run waits for the message that it answers. */
  readonly leafStored?: Promise<void> | undefined;
  /** Of the session, when they were read already. */
  readonly blocks?: readonly Block[] | undefined;
  readonly variation: number;
  /** Most that the key of the program may spend in a month. */
  readonly keyDollars?: number | null;
  /** The answer to the same question that it goes on with. */
  readonly kept?: KeptAnswer | undefined;
}

/** Its calls were decided, and its run was claimed. */
export interface ResumeOptions extends Omit<StartOptions, "run"> {
  readonly run: RunRecord;
  readonly continued: Continued;
}

export interface RunnerOptions extends Partial<RunLimits> {
  readonly spool?: AnswerSpool | null;
  /** Of one answer. */
  readonly maxCharacters?: number;
  /** Of a run without progress. */
  readonly limits?: StallLimits;
}

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

  /** Without a spool, answers wait for their database in memory only. */
  constructor(
    events: RunEvents,
    {
      spool = null,
      maxCharacters = 1_000_000,
      maxRunning = 8,
      limits,
      assertMayAsk = async () => undefined,
      budgetOf = async (ownerId) => ({ ownerIds: [ownerId], messages: null, dollars: null }),
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

  /**
   * Checks what `start` would refuse, with `more` runs after it, and the person's budget, which a run that has begun is
   * within. @throws {ChatError} over a limit, or while ending.
   */
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

  /** @throws {ChatError} `over-budget`. */
  assertMayAsk({ ownerId }: Pick<OwnerData, "ownerId">): Promise<void> {
    return this.#limits.assertMayAsk(ownerId);
  }

  /** Refuses new answers, for its process stops. */
  get isEnding(): boolean {
    return this.#isEnding;
  }

  #assertNotEnding(): void {
    if (this.#isEnding)
      throw new ChatError("shutting-down", "Grove is stopping. Send it again when it is back.");
  }

  /** Returns at once; a retry returns the existing run. @throws {ChatError} over the limit, or while ending. */
  async start(options: StartOptions): Promise<RunRecord> {
    const { owner, run } = options;
    this.#assertNotEnding();
    const live = new LiveRun();
    const starting = this.#insert(options);
    const mayBegin = starting.then(
      (known) => known?.started === true,
      () => false,
    );
    // Ends the reading for a run that is not this one's to write.
    void mayBegin.then((begins) => begins || live.stop());
    const onProgress = () => live.noteProgress();
    const prepared = prepareAnswer({
      ...options,
      leafId: options.kept?.id ?? run.parentId,
      signal: live.signal,
      summarize: (request, act) => {
        const { keyId } = run;
        return this.summarize(owner, { ...request, mayBegin, onProgress, keyId }, act);
      },
    });
    const known = await starting;
    if (!known) throw tooManyRuns(this.#limits.maxRunning);
    if (known.started) this.#begin({ ...options, run: known.run }, { live, prepared });
    return known.run;
  }

  #insert({ owner, run, resolved, ...options }: StartOptions): ReturnType<typeof startRun> {
    const { maxOutputTokens } = options.program ?? options.parameters ?? {};
    const reserved = reservedDollars(resolved.info, { maxOutputTokens });
    const { keyDollars, leafStored } = options;
    return startRun(this.#limits, { owner, run: { ...run, reserved }, keyDollars, leafStored });
  }

  /** Goes on with an answer whose pause is over, in the same message. */
  resume(options: ResumeOptions): void {
    const { owner, run } = options;
    const live = new LiveRun();
    const onProgress = () => live.noteProgress();
    const prepared = prepareAnswer({
      ...options,
      leafId: run.messageId,
      signal: live.signal,
      summarize: (request, act) => this.summarize(owner, { ...request, onProgress }, act),
    });
    this.#begin(options, { live, prepared });
  }

  #begin(
    options: Omit<StartOptions, "run"> & Pick<WriteAnswerOptions, "run" | "continued">,
    { live, prepared }: Pick<WriteAnswerOptions, "live" | "prepared">,
  ): void {
    const { owner, run } = options;
    this.live.add(owner.ownerId, { live, record: run });
    const log = new ChunkLog(owner, run.id, {
      spool: this.#spool,
      answers: () => this.live.count,
    });
    const maxCharacters = this.#maxCharacters;
    const failed = (error: unknown) => this.#events.failed(error);
    void this.#write({ ...options, live, log, prepared, maxCharacters, failed });
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

  /** Works from any process, and ends a run whose process is gone. @throws {ChatError} when it is not known. */
  async stop(owner: OwnerData, runId: string): Promise<void> {
    const live = this.live.get(owner.ownerId, runId);
    // Needs no database, which may be away.
    if (live) return live.stop();
    if (await owner.runs.requestStop(runId)) return this.#endOrphan(owner, runId);
    if (!(await owner.runs.get(runId)))
      throw new ChatError("run-not-found", "This answer or summary does not exist.");
    await this.withdraw(owner, runId);
  }

  /** Ends a paused answer; its calls are not made. Nothing happens to one that is not paused. */
  async withdraw(owner: OwnerData, runId: string): Promise<void> {
    const run = await withdrawCalls(owner, runId, (error) => this.#events.failed(error));
    if (run) await this.#events.finished(owner, run, "stopped");
  }

  /** Takes the mark of unseen answers from a session, in every browser. */
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
      // The stop is noted; once its lease is over, the next sweep ends it.
      if (isDatabaseAway(error) || error instanceof SessionError) throw error;
      this.#events.failed(error);
    }
  }

  /**
   * Waits up to `drainMs` for the running ones, then ends the rest as interrupted.
   *
   * @returns the number of runs that could not be stored within `storeMs`; the spool holds their text.
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

  /** From memory when this process writes it. */
  async find(owner: OwnerData, runId: string): Promise<RunRecord | null> {
    return this.live.recordOf(owner.ownerId, runId) ?? owner.runs.get(runId);
  }

  /** @throws {ChatError} when unknown or of another session. */
  async require(
    owner: OwnerData,
    { sessionId, runId }: { sessionId: string; runId: string },
  ): Promise<RunRecord> {
    const run = await this.find(owner, runId);
    if (run?.sessionId !== sessionId)
      throw new ChatError("run-not-found", "This answer or summary does not exist.");
    return run;
  }

  /** Each chunk from number `after` on, to the end of the run. */
  async *follow(owner: OwnerData, place: RunPlace): AsyncGenerator<UIMessageChunk> {
    for await (const chunks of this.followBatches(owner, place)) yield* chunks;
  }

  /** As `follow`, those together that are there together. */
  followBatches(
    owner: OwnerData,
    { runId, part = 0, after, signal }: RunPlace,
  ): AsyncGenerator<readonly UIMessageChunk[]> {
    const record = this.live.recordOf(owner.ownerId, runId);
    const live =
      record && partOf(record) === part ? this.live.get(owner.ownerId, runId) : undefined;
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

  /**
   * Stores the answers that dead processes left in the spool after their runs were ended without them. A running one
   * waits for `recover`, that of a deleted session for its restoration.
   */
  async recoverSpooled(ownerOf: (ownerId: string) => OwnerData): Promise<void> {
    for (const address of (await this.#spool?.runs()) ?? []) {
      if (this.live.get(address.ownerId, address.runId)) continue;
      await this.#leases.inBackground(() =>
        this.#recoverSpooled(ownerOf(address.ownerId), address),
      );
    }
  }

  async #recoverSpooled(owner: OwnerData, address: RunAddress): Promise<void> {
    const run = await owner.runs.get(address.runId);
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

  async #write(options: WriteAnswerOptions): Promise<void> {
    const { owner, run } = options;
    const release = this.#leases.hold(owner, run, (problem) =>
      this.recover(owner, run, problem, options.live.chunks),
    );
    const end = await this.#attempt(options);
    if (end) await this.#leases.inBackground(() => goOnAfter(owner, run, end.status));
    void this.#leases.inBackground(() => options.prepared.end());
    release();
    // First, because viewers wait for the end of the stream.
    this.live.close(owner.ownerId, run.id, options.live);
    if (end) await this.#events.finished(owner, run, end.status);
  }

  async #attempt(options: WriteAnswerOptions): Promise<AnswerEnd | null> {
    try {
      const end = await writeAnswer(options);
      if (end?.unread !== undefined) this.#events.failed(end.unread);
      return end;
    } catch (error) {
      this.#events.failed(error);
      const { owner, run, live } = options;
      // If this fails, too, the lease expires, and the next sweep stores the text.
      await this.#leases.inBackground(() => this.recover(owner, run, null, live.chunks));
      return null;
    }
  }
}

/** A deleted question, session or answer has nothing to go on with. */
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
