import type { UIMessageChunk } from "ai";
import { ChunkLog } from "@/lib/chat/answering/chunk-log";
import { leaseMs, type RunKeeper } from "@/lib/chat/answering/lease";
import { LiveRun } from "@/lib/chat/answering/live-runs";
import { persistently } from "@/lib/chat/answering/retry";
import type { RunRecord } from "@/lib/chat/answering/run-store";
import { ChatError } from "@/lib/chat/chat-error";
import type { OwnerData } from "@/lib/chat/owner-data";
import type { CompactionWishes } from "@/lib/chat/sessions/open-session";
import type { AnswerStatus } from "@/lib/chat/wire/messages";
import type { ResolvedModel } from "@/lib/llm";
import type { SessionMessage } from "@/lib/session";
import { isWorthTrying, type SummaryPlan, summaryRange } from "./summary-plan";
import { summaryProblem } from "./why-summary-failed";

const maxSummariesPerOwner = 8;

/** A summary that may become necessary, and for whom. */
export interface SummaryWish {
  readonly sessionId: string;
  /** The path to fold; the active one when omitted. */
  readonly leafId?: string | undefined;
  readonly resolved: ResolvedModel;
  readonly byHand: boolean;
  readonly focus?: string | undefined;
  readonly replaces?: string | undefined;
  /** Nothing is written before this says so, and nothing at all if it says `false`. Omitted: at once. */
  readonly mayBegin?: Promise<boolean> | undefined;
  /** Stops it together with what it is written for. */
  readonly signal?: AbortSignal | undefined;
  /** Hears of the run once its row is there. */
  readonly onBegun?: ((run: RunRecord) => void) | undefined;
}

/** What a compaction is done with, so that it can be watched and stopped. */
export interface SummaryHooks {
  readonly wishes: CompactionWishes;
  readonly signal: AbortSignal;
  /** Whether a model has been asked for it. */
  readonly hasBegun: () => boolean;
}

/** What the world hears of a summary. */
export interface SummaryEvents {
  summaryStarted(owner: OwnerData, run: RunRecord): Promise<void> | void;
  /** `run` as it has ended. */
  summaryFinished(owner: OwnerData, run: RunRecord): Promise<void> | void;
}

type SummaryEnd = RunRecord & { readonly status: AnswerStatus };

export interface SummaryWriters {
  readonly keeper: RunKeeper;
  readonly events: SummaryEvents & { failed(error: unknown): void };
}

/**
 * Does what may have a summary written. Once a model is asked for one, the summary is a run: seen, followed and stopped
 * from anywhere until it has taken its place or failed. Where none is needed nothing is left behind.
 */
export async function writeSummary<Result>(
  writers: SummaryWriters,
  owner: OwnerData,
  wish: SummaryWish,
  act: (hooks: SummaryHooks) => Promise<Result>,
): Promise<Result> {
  const writing = new SummaryWriting(writers, owner, wish);
  try {
    return await act(writing.hooks);
  } catch (error) {
    writing.fails(error);
    throw error;
  } finally {
    await writing.end();
  }
}

class SummaryWriting {
  readonly hooks: SummaryHooks;
  readonly #id = crypto.randomUUID();
  readonly #writers: SummaryWriters;
  readonly #owner: OwnerData;
  readonly #wish: SummaryWish;
  readonly #live = new LiveRun();
  readonly #log: ChunkLog;
  #run: RunRecord | null = null;
  #release = () => {};
  #pieces = 0;
  #error: unknown = null;

  constructor(writers: SummaryWriters, owner: OwnerData, wish: SummaryWish) {
    this.#writers = writers;
    this.#owner = owner;
    this.#wish = wish;
    this.#log = new ChunkLog(owner.runs, this.#id);
    const signals = [this.#live.signal, wish.signal].filter((signal) => signal !== undefined);
    this.hooks = {
      signal: AbortSignal.any(signals),
      hasBegun: () => this.#run !== null,
      wishes: {
        byHand: wish.byHand,
        onBegin: (messages) => this.#begin(messages),
        onError: (error) => this.fails(error),
        listener: {
          onStart: () => this.#beginPiece(),
          onDelta: (delta) => this.#emit({ type: "text-delta", id: this.#pieceId, delta }),
        },
      },
    };
  }

  fails(error: unknown): void {
    this.#error ??= error;
  }

  async end(): Promise<void> {
    const { keeper, events } = this.#writers;
    const run = this.#run;
    if (run) {
      const ended = { ...run, ...this.#outcome() };
      await keeper.quietly(async () => {
        await this.#store(ended);
        await events.summaryFinished(this.#owner, ended);
      });
    }
    this.#release();
    keeper.live.close(this.#id);
  }

  get #pieceId(): string {
    return `piece ${this.#pieces}`;
  }

  #outcome(): Pick<SummaryEnd, "status" | "problem"> {
    if (this.#error === null) return { status: "complete", problem: null };
    if (this.hooks.signal.aborted) return { status: "stopped", problem: null };
    const { sentence, isUnexpected } = summaryProblem(this.#error);
    if (isUnexpected) this.#writers.events.failed(this.#error);
    return { status: "failed", problem: sentence };
  }

  async #begin(messages: readonly SessionMessage[]): Promise<void> {
    const { sessionId, resolved, focus, replaces, byHand, leafId, mayBegin } = this.#wish;
    if ((await mayBegin) === false) throw new Error("Another process is writing this summary.");
    const plan: SummaryPlan = {
      ...(await summaryRange(this.#owner, sessionId, messages)),
      focus: focus ?? null,
      replaces: replaces ?? null,
      byHand,
    };
    const model = resolved.info.ref;
    if (!isWorthTrying({ plan, model }, await this.#owner.runs.newestSummary(sessionId)))
      throw new Error("A summary of so little more came to nothing just now.");
    const started = await this.#owner.runs.start(
      {
        id: this.#id,
        sessionId,
        messageId: this.#id,
        parentId: leafId ?? plan.toMessageId,
        model,
        plan,
      },
      leaseMs,
      { maxRunning: maxSummariesPerOwner },
    );
    if (!started) throw tooMany();
    const { run } = started;
    this.#run = run;
    this.#writers.keeper.live.add(this.#live, { ownerId: this.#owner.ownerId, run });
    this.#release = this.#writers.keeper.keep(this.#owner, run.id);
    this.#emit({ type: "start", messageId: run.id });
    this.#wish.onBegun?.(run);
    void this.#writers.keeper.quietly(() => this.#writers.events.summaryStarted(this.#owner, run));
  }

  /** A conversation longer than the model's window is read in pieces, each of which begins the summary anew. */
  #beginPiece(): void {
    if (this.#pieces > 0) this.#emit({ type: "text-end", id: this.#pieceId });
    this.#pieces += 1;
    this.#emit({ type: "text-start", id: this.#pieceId });
  }

  async #store({ id, status, problem }: SummaryEnd): Promise<void> {
    const finish: UIMessageChunk = { type: "finish", messageMetadata: { status } };
    this.#log.add(finish);
    await this.#log.close();
    await persistently(() =>
      this.#owner.runs.finish(id, status, { problem: problem ?? undefined }),
    );
    // Whoever hears the end finds the row ended.
    this.#live.push(finish);
  }

  #emit(chunk: UIMessageChunk): void {
    this.#log.add(chunk);
    this.#live.push(chunk);
  }
}

function tooMany(): ChatError {
  return new ChatError(
    "too-many-runs",
    `${maxSummariesPerOwner} summaries are already being written. Wait for one to finish or stop one.`,
  );
}
