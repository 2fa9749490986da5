import { ChatError } from "@/lib/chat/chat-error";
import { describeModelError, SummaryError } from "@/lib/llm";
import { SessionError, SummaryRejectedError } from "@/lib/session";

/** Describes an unusable summary; `null` for any other error. */
export function whySummaryFailed(error: unknown): string | null {
  if (error instanceof SummaryRejectedError) return error.message;
  if (!(error instanceof SummaryError)) return null;
  return error.cause === undefined ? error.message : describeModelError(error.cause).message;
}

/** A sentence for the person; `isUnexpected` errors also go to the log. */
export function summaryProblem(error: unknown): { sentence: string; isUnexpected: boolean } {
  const why = whySummaryFailed(error);
  if (why !== null) return { sentence: compactionFailed(why).message, isUnexpected: false };
  const isKnown = error instanceof SessionError || error instanceof ChatError;
  if (isKnown) return { sentence: error.message, isUnexpected: false };
  const { message } = compactionFailed(
    "Something went wrong on the server. See its log for details.",
  );
  return { sentence: message, isUnexpected: true };
}

export function compactionFailed(why: string, cause?: unknown): ChatError {
  return new ChatError("compaction-failed", `Nothing was summarized. ${why}`, { cause });
}
