import { SessionError, SummaryRejectedError } from "grove-session";
import { ChatError } from "@/lib/chat/core/chat-error";
import { describeModelError, type ModelErrorCode, SummaryError } from "@/lib/llm";

const sentences: Partial<Record<ModelErrorCode, string>> = {
  "context-overflow":
    "The messages to summarize don't fit in the model's context window. Choose a model with a larger one.",
  cut: "The connection to the provider was lost before the summary was complete. Try again.",
  empty: "The model sent an empty summary. Try again, or choose another model.",
  refused: "The provider declined to summarize these messages. Choose another model.",
  timeout: "The model took too long to summarize. Try again or choose another model.",
};

export function whySummaryFailed(error: unknown): string | null {
  if (error instanceof SummaryRejectedError) return error.message;
  if (!(error instanceof SummaryError)) return null;
  if (error.cause === undefined) return error.message;
  const { code, message, details } = describeModelError(error.cause);
  const sentence = sentences[code] ?? message;
  return details === undefined ? sentence : `${sentence} It said: “${details}”`;
}

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
