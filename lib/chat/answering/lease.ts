import type { OwnerData } from "@/lib/chat/owner-data";
import { LiveRuns } from "./live-runs";

/** A run without a heartbeat for this long counts as interrupted. */
export const leaseMs = 9_000;
const heartbeatMs = 500;

/** Renews the leases of this process's runs, and stops those asked to stop. */
export class RunLeases {
  readonly live = new LiveRuns();
  readonly #onFailure: (error: unknown) => void;

  constructor(onFailure: (error: unknown) => void) {
    this.#onFailure = onFailure;
  }

  /** Renews the lease of a stored run. @returns a function that ends it. */
  hold(owner: OwnerData, runId: string): () => void {
    const beat = setInterval(() => void this.#heartbeat(owner, runId), heartbeatMs);
    return () => clearInterval(beat);
  }

  /** Runs something nobody awaits; a failure is reported and goes no further. */
  async inBackground(act: () => Promise<void> | void): Promise<void> {
    try {
      await act();
    } catch (error) {
      this.#onFailure(error);
    }
  }

  async #heartbeat(owner: OwnerData, runId: string): Promise<void> {
    await this.inBackground(async () => {
      const beat = await owner.runs.heartbeat(runId, leaseMs);
      if (beat?.stopRequested) this.live.get(owner.ownerId, runId)?.stop();
    });
  }
}
