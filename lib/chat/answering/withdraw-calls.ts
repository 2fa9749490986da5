import type { OwnerData } from "@/lib/chat/core/owner-data";
import type { RunRecord } from "@/lib/chat/core/run-store";
import { pauseOf, withdrawn, withoutCalls } from "@/lib/chat/runs/pause";
import { ifPossible } from "@/lib/chat/runs/retry";
import type { GroveMetadata } from "@/lib/chat/wire/messages";
import { endAnswer } from "./end-answer";
import { declineHeldWrites } from "./held-writes";

/** Ends a paused answer without its calls; `null` when it is not paused. */
export async function withdrawCalls(
  owner: OwnerData,
  runId: string,
  failed: (error: unknown) => void,
): Promise<RunRecord | null> {
  const trying = { waits: false, failed };
  for (;;) {
    const run = await owner.runs.get(runId);
    const from = run && pauseOf(run);
    if (run?.status !== "paused" || !from) return null;
    const pause = withdrawn(from);
    const message = await owner.store.messages(run.sessionId).getMessage(run.messageId);
    const { pausedAt: _, ...known } = (message?.metadata ?? {}) as GroveMetadata;
    const metadata = { ...known, status: "stopped" as const };
    const parts = withoutCalls(message?.parts ?? [], pause);
    const stopped = { status: "stopped", from: ["paused"], pause } as const;
    const ended = message
      ? await endAnswer(owner, { run, parts, metadata, pause }, trying)
      : await owner.runs.end(run, stopped);
    // Another decision came between.
    if (!ended) continue;
    await ifPossible(() => declineHeldWrites(owner, run.messageId, from), undefined, trying);
    return run;
  }
}
