import type { FinishReason } from "ai";
import type { ModelErrorDescription } from "./describe-model-error";

/**
 * Says why an answer that ended without an error is nevertheless not whole.
 *
 * A provider that breaks off often reports it only here, so an answer counts as complete when this is `null`.
 */
export function describeFinishReason(reason: FinishReason): ModelErrorDescription | null {
  switch (reason) {
    case "stop":
    case "tool-calls":
      return null;
    case "length":
      return {
        code: "cut",
        message: "The answer reached the model's length limit. Ask it to continue.",
        retryable: false,
      };
    case "content-filter":
      return {
        code: "refused",
        message: "The provider's content filter ended this answer.",
        retryable: false,
      };
    default:
      return {
        code: "cut",
        message: "The model stopped before the answer was complete. Try again for the rest.",
        retryable: true,
      };
  }
}
