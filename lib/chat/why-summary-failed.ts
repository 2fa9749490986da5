import { describeModelError, SummaryError } from "@/lib/llm";
import { SummaryRejectedError } from "@/lib/session";

/** Why a model gave no summary that can be used, as a sentence; `null` for any other error. */
export function whySummaryFailed(error: unknown): string | null {
  if (error instanceof SummaryRejectedError) return error.message;
  if (!(error instanceof SummaryError)) return null;
  return error.cause === undefined ? error.message : describeModelError(error.cause).message;
}
