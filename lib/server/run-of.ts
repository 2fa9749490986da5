import type { RunRecord } from "@/lib/chat/answering/run-store";
import type { Runner } from "@/lib/chat/answering/runner";
import { ChatError } from "@/lib/chat/chat-error";
import type { OwnerServices } from "./owner-services";

/** The run a path names. @throws {ChatError} when it is unknown, or of another session. */
export async function runOf(
  { owner, runner }: { owner: OwnerServices; runner: Runner },
  { sessionId, runId }: { sessionId: string; runId: string },
): Promise<RunRecord> {
  const run = await runner.find(owner, runId);
  if (run?.sessionId !== sessionId)
    throw new ChatError("run-not-found", "This answer or summary is not known.");
  return run;
}
