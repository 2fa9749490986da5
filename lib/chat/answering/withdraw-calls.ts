import type { OwnerData } from "@/lib/chat/owner-data";
import type { GroveMetadata } from "@/lib/chat/wire/messages";
import { declineHeldWrites } from "./held-writes";
import { leaseMs } from "./lease";
import { pauseOf, withdrawn, withoutCalls } from "./pause";
import type { RunRecord } from "./run-store";

/** Ends a paused answer without its calls; `null` when it is not paused. */
export async function withdrawCalls(owner: OwnerData, runId: string): Promise<RunRecord | null> {
  for (;;) {
    const run = await owner.runs.get(runId);
    const from = run && pauseOf(run);
    if (run?.status !== "paused" || !from) return null;
    const to = withdrawn(from);
    const ended = await owner.runs.decide(runId, { from, to, status: "stopped", leaseMs });
    // Another decision came between.
    if (!ended) continue;
    await declineHeldWrites(owner, run.messageId, from);
    const messages = owner.store.messages(run.sessionId);
    const message = await messages.getMessage(run.messageId);
    if (!message) return ended;
    const { pausedAt: _, ...metadata } = (message.metadata ?? {}) as GroveMetadata;
    const stopped: GroveMetadata = { ...metadata, status: "stopped" };
    const parts = withoutCalls(message.parts, to);
    await messages.updateMessage({ ...message, parts, metadata: stopped });
    return ended;
  }
}
