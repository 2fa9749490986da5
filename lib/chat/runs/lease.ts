import { setTimeout as delay } from "node:timers/promises";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import type { HeldRun, RunStore } from "@/lib/chat/core/run-store";
import type { ModelErrorDescription } from "@/lib/llm";
import { type LiveRun, LiveRuns } from "./live-runs";

/** A run that long without a heartbeat is interrupted. */
export const leaseMs = 9_000;
const heartbeatMs = 500;
/** Some heartbeats: a process that missed them is gone. */
const orphanedMs = 2_000;
const lookEveryMs = 250;
/** Longer than any provider is silent, or a tool works. */
const defaultStalledMs = 15 * 60_000;
const graceMs = 60_000;

export interface StallLimits {
  readonly stalledMs?: number;
  readonly graceMs?: number;
}

export class RunLeases {
  readonly live = new LiveRuns();
  readonly #onFailure: (error: unknown) => void;
  readonly #limits: Required<StallLimits>;

  constructor(onFailure: (error: unknown) => void, limits: StallLimits = {}) {
    this.#onFailure = onFailure;
    this.#limits = { stalledMs: defaultStalledMs, graceMs, ...limits };
  }

  /**
   * Reports the first of consecutive failures. A run without progress is interrupted, then left to `endFor`, and to
   * other processes once its lease expires. @returns a function that ends the renewal.
   */
  hold(
    owner: OwnerData,
    run: HeldRun,
    endFor?: (problem: ModelErrorDescription) => Promise<void>,
  ): () => void {
    const live = this.live.get(owner.spaceId, run.id);
    const release = () => clearInterval(timer);
    let isBeating = false;
    let isFailing = false;
    const beat = async () => {
      isBeating = true;
      try {
        await this.#heartbeat(owner, run, live);
        isFailing = false;
      } catch (error) {
        if (!isFailing) this.#onFailure(error);
        isFailing = true;
      }
      isBeating = false;
    };
    const timer = setInterval(() => {
      if (endFor && live && this.#isHanging(live)) {
        release();
        void this.#giveUp(endFor).then(() => this.live.close(owner.spaceId, run.id, live));
        // One at a time: a silent database must not gather them.
      } else if (!isBeating) void beat();
    }, heartbeatMs);
    return release;
  }

  #isHanging(live: LiveRun): boolean {
    const { stalledMs, graceMs: graceAfterMs } = this.#limits;
    if (live.stalledMs < stalledMs) return false;
    live.interrupt(stalled(stalledMs));
    return live.stalledMs >= stalledMs + graceAfterMs;
  }

  async #giveUp(endFor: (problem: ModelErrorDescription) => Promise<void>): Promise<void> {
    this.#onFailure(new Error("A run made no progress and was given up."));
    await this.inBackground(() => endFor(stalled(this.#limits.stalledMs)));
  }

  async inBackground(act: () => Promise<void> | void): Promise<void> {
    try {
      await act();
    } catch (error) {
      this.#onFailure(error);
    }
  }

  async #heartbeat(owner: OwnerData, run: HeldRun, live: LiveRun | undefined): Promise<void> {
    const beat = await owner.runs.heartbeat(run, leaseMs);
    if (beat === null) live?.lose();
    else if (beat.stopRequested) live?.stop();
  }
}

/** `null` when the run's process lives or it has ended. */
export async function orphanedLease(runs: RunStore, runId: string): Promise<string | null> {
  const first = await runs.leaseOf(runId);
  if (!first || first.remainingMs < leaseMs - orphanedMs) return first?.token ?? null;
  for (let waitedMs = 0; waitedMs < orphanedMs; waitedMs += lookEveryMs) {
    await delay(lookEveryMs);
    const lease = await runs.leaseOf(runId);
    if (lease?.token !== first.token) return null;
  }
  return first.token;
}

function stalled(ms: number): ModelErrorDescription {
  return {
    code: "timeout",
    message: `Ended after ${Math.round(ms / 60_000)} minutes without progress. Try again or choose another model.`,
    retryable: true,
  };
}
