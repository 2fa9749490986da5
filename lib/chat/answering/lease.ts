import type { OwnerData } from "@/lib/chat/owner-data";
import { LiveRuns } from "./live-runs";

/** Without a heartbeat; then it is interrupted. */
export const leaseMs = 9_000;
const heartbeatMs = 500;

export class RunLeases {
  readonly live = new LiveRuns();
  readonly #onFailure: (error: unknown) => void;

  constructor(onFailure: (error: unknown) => void) {
    this.#onFailure = onFailure;
  }

  /** @returns a function that ends the renewal. */
  hold(owner: OwnerData, runId: string): () => void {
    const beat = setInterval(() => void this.#heartbeat(owner, runId), heartbeatMs);
    return () => clearInterval(beat);
  }

  /** Reports a failure that nobody awaits. */
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
