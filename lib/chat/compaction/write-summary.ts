import type { UIMessageChunk } from "ai";
import { estimateMessageTokens, type SessionMessage } from "grove-session";
import { ChatError } from "@/lib/chat/core/chat-error";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import type { NewRun, RunRecord } from "@/lib/chat/core/run-store";
import { ChunkLog } from "@/lib/chat/runs/chunk-log";
import { leaseMs, type RunLeases } from "@/lib/chat/runs/lease";
import { LiveRun } from "@/lib/chat/runs/live-runs";
import { retry } from "@/lib/chat/runs/retry";
import { type RunLimits, reservedDollars, startRun } from "@/lib/chat/runs/start-run";
import {
  isWorthTrying,
  planOf,
  type SummaryPlan,
  summaryRange,
} from "@/lib/chat/runs/summary-plan";
import type { AnswerStatus } from "@/lib/chat/wire/messages";
import type { ModelErrorDescription, ResolvedModel } from "@/lib/llm";
import type { CompactionOptions } from "./compaction-model";
import { summaryProblem } from "./why-summary-failed";

export interface CompactionRequest {
  readonly sessionId: string;
  readonly leafId?: string | undefined;
  readonly resolved: ResolvedModel;
  readonly isManual: boolean;
  readonly focus?: string | undefined;
  readonly replaces?: string | undefined;
  readonly mayBegin?: Promise<boolean> | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly keyId?: string | undefined;
  readonly keyDollars?: number | null | undefined;
  readonly onUsed?: CompactionOptions["onUsed"];
  readonly onBegun?: ((run: RunRecord) => void) | undefined;
  readonly onProgress?: (() => void) | undefined;
}

export interface SummaryEvents {
  summaryStarted(owner: OwnerData, run: RunRecord): Promise<void> | void;
  summaryFinished(owner: OwnerData, run: RunRecord): Promise<void> | void;
  summaryDismissed(owner: OwnerData, run: RunRecord): Promise<void> | void;
}

type SummaryEnd = RunRecord & { readonly status: AnswerStatus };

interface SummaryWriters {
  readonly leases: RunLeases;
  readonly events: SummaryEvents & { failed(error: unknown): void };
  readonly limits: RunLimits;
}

/** Nothing is stored until `act` asks a model. */
export async function writeSummary<Result>(
  writers: SummaryWriters,
  owner: OwnerData,
  request: CompactionRequest,
  act: (writing: SummaryWriting) => Promise<Result>,
): Promise<Result> {
  const writing = new SummaryWriting(writers, owner, request);
  try {
    return await act(writing);
  } catch (error) {
    writing.fail(error);
    throw error;
  } finally {
    await writing.end();
  }
}

export interface SummaryRunner {
  summarize<Result>(
    owner: OwnerData,
    request: CompactionRequest,
    act: (writing: SummaryWriting) => Promise<Result>,
  ): Promise<Result>;
}

export class SummaryWriting {
  readonly options: CompactionOptions;
  readonly signal: AbortSignal;
  readonly #id = crypto.randomUUID();
  readonly #writers: SummaryWriters;
  readonly #owner: OwnerData;
  readonly #request: CompactionRequest;
  readonly #live = new LiveRun();
  readonly #log: ChunkLog;
  #run: RunRecord | null = null;
  #release = () => {};
  #pieces = 0;
  #error: unknown = null;

  constructor(writers: SummaryWriters, owner: OwnerData, request: CompactionRequest) {
    this.#writers = writers;
    this.#owner = owner;
    this.#request = request;
    this.#log = new ChunkLog(owner, this.#id, { spool: null });
    const signals = [this.#live.signal, request.signal].filter((signal) => signal !== undefined);
    this.signal = AbortSignal.any(signals);
    this.options = {
      resolved: request.resolved,
      isManual: request.isManual,
      keyId: request.keyId,
      onUsed: request.onUsed,
      onUnrecorded: (error) => writers.events.failed(error),
      onBegin: (messages) => this.#begin(messages),
      onError: (error) => this.fail(error),
      onPiece: () => this.#beginPiece(),
      onDelta: (delta) => this.#emit({ type: "text-delta", id: this.#pieceId, delta }),
    };
  }

  get hasBegun(): boolean {
    return this.#run !== null;
  }

  fail(error: unknown): void {
    this.#error ??= error;
  }

  async end(): Promise<void> {
    const { leases, events } = this.#writers;
    const run = this.#run;
    if (run) {
      const ended = { ...run, ...this.#outcome() };
      await leases.inBackground(async () => {
        if (await this.#store(ended)) await events.summaryFinished(this.#owner, ended);
      });
    }
    this.#release();
    leases.live.close(this.#owner.spaceId, this.#id, this.#live);
  }

  get #pieceId(): string {
    return `piece ${this.#pieces}`;
  }

  #outcome(): Pick<SummaryEnd, "status" | "problem"> {
    if (this.#error === null) return { status: "complete", problem: null };
    if (this.#live.endsAs === "interrupted") return interruption(this.#live.problem);
    if (this.signal.aborted) return { status: "stopped", problem: null };
    const { sentence, isUnexpected } = summaryProblem(this.#error);
    if (isUnexpected) this.#writers.events.failed(this.#error);
    return { status: "failed", problem: sentence };
  }

  async #begin(messages: readonly SessionMessage[]): Promise<void> {
    const { sessionId, resolved, focus, replaces, isManual, leafId, mayBegin } = this.#request;
    if ((await mayBegin) === false) throw new Error("Another process is writing this summary.");
    const plan: SummaryPlan = {
      ...(await summaryRange(this.#owner, sessionId, messages)),
      focus: focus ?? null,
      replaces: replaces ?? null,
      isManual,
    };
    const model = resolved.info.ref;
    if (!isWorthTrying({ plan, model }, await this.#owner.runs.newestSummary(sessionId)))
      throw new Error(
        "Skipped: the last attempt failed and the history has grown by less than 20%.",
      );
    const run = await this.#started({
      kind: "summary",
      id: this.#id,
      sessionId,
      messageId: this.#id,
      parentId: leafId ?? plan.toMessageId,
      model,
      plan,
      keyId: this.#request.keyId,
      reserved: reservedDollars(resolved.info, { inputTokens: estimateMessageTokens(messages) }),
    });
    this.#run = run;
    this.#writers.leases.live.add(this.#owner.spaceId, { live: this.#live, record: run });
    this.#release = this.#writers.leases.hold(this.#owner, run, async (problem) => {
      const ended = await recoverSummary(this.#owner, run, problem);
      if (ended) await this.#writers.events.summaryFinished(this.#owner, ended);
    });
    this.#emit({ type: "start", messageId: run.id });
    this.#request.onBegun?.(run);
    void this.#writers.leases.inBackground(() =>
      this.#writers.events.summaryStarted(this.#owner, run),
    );
  }

  async #started(run: NewRun): Promise<RunRecord> {
    const { isManual, keyDollars } = this.#request;
    const owner = this.#owner;
    const { limits } = this.#writers;
    const { maxRunning } = limits;
    const started = isManual
      ? await startRun(limits, { owner, run, keyDollars })
      : await owner.runs.start(run, leaseMs, { maxRunning });
    if (!started) throw tooMany(maxRunning);
    return started.run;
  }

  #beginPiece(): void {
    if (this.#pieces > 0) this.#emit({ type: "text-end", id: this.#pieceId });
    this.#pieces += 1;
    this.#emit({ type: "text-start", id: this.#pieceId });
  }

  async #store({ status, problem, ...run }: SummaryEnd): Promise<boolean> {
    const finish: UIMessageChunk = { type: "finish", messageMetadata: { status } };
    this.#log.add(finish);
    await this.#log.close();
    const end = { status, problem: problem ?? undefined };
    const stored = await retry(() => this.#owner.runs.end(run, end), {
      onFailure: () => this.#live.noteProgress(),
    });
    // Sent after the row, so that a viewer who sees the end finds the run ended.
    if (stored) this.#live.push(finish);
    return stored !== null;
  }

  #emit(chunk: UIMessageChunk): void {
    this.#log.add(chunk);
    this.#live.push(chunk);
    this.#request.onProgress?.();
  }
}

function tooMany(maxRunning: number): ChatError {
  return new ChatError(
    "too-many-runs",
    `${maxRunning === 1 ? "1 summary is" : `${maxRunning} summaries are`} already being written. Wait for one to finish or stop one.`,
  );
}

const serverStopped =
  "Nothing was summarized: the server stopped while the summary was being written.";

function interruption(
  problem: ModelErrorDescription | null,
): Pick<RunRecord, "status" | "problem"> & { readonly status: AnswerStatus } {
  return { status: "interrupted", problem: problem?.message ?? serverStopped };
}

export async function recoverSummary(
  owner: OwnerData,
  run: RunRecord,
  problem: ModelErrorDescription | null = null,
): Promise<RunRecord | null> {
  const { toMessageId } = planOf(run);
  const compactions = await owner.store.messages(run.sessionId).getCompactions();
  const isThere = compactions.some(
    (compaction) => compaction.toMessageId === toMessageId && compaction.createdAt >= run.startedAt,
  );
  const end = isThere ? ({ status: "complete", problem: null } as const) : interruption(problem);
  const { status } = end;
  const ended = await owner.runs.end(run, { status, problem: end.problem ?? undefined });
  return ended && { ...run, ...end };
}
