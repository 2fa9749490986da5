import { toastFailure } from "@/app/_ui/toast";
import { errorSentence } from "./api-error";

export function toastError(error: unknown): void {
  toastFailure(typeof error === "string" ? error : errorSentence(error));
}

export function toastRetry(error: unknown, retry: () => void): void {
  toastFailure(errorSentence(error), retry);
}
