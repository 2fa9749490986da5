import type { OwnerData } from "@/lib/chat/owner-data";
import { LiveRuns } from "./live-runs";

/** How long a process may be silent before its runs are taken for interrupted. */
export const leaseMs = 9_000;
const heartbeatMs = 500;

/** Keeps the runs of this process alive in the database, and hears there that somebody wants one stopped. */
export class RunKeeper {
  readonly live = new LiveRuns();
  readonly #onFailure: (error: unknown) => void;

  constructor(onFailure: (error: unknown) => void) {
    this.#onFailure = onFailure;
  }

  /** Keeps a run whose row is there. @returns a function that ends it. */
  keep(owner: OwnerData, runId: string): () => void {
    const beat = setInterval(() => void this.#heartbeat(owner, runId), heartbeatMs);
    return () => clearInterval(beat);
  }

  /** Does something that nobody waits for; a failure is told and goes no further. */
  async quietly(act: () => Promise<void> | void): Promise<void> {
    try {
      await act();
    } catch (error) {
      this.#onFailure(error);
    }
  }

  async #heartbeat(owner: OwnerData, runId: string): Promise<void> {
    await this.quietly(async () => {
      const beat = await owner.runs.heartbeat(runId, leaseMs);
      if (beat?.stopRequested) this.live.get(runId)?.stop();
    });
  }
}
