import { toastFailure } from "@/app/_ui/toast";
import { errorSentence } from "./api-error";

/** Shows a failure whose place on the page is gone; elsewhere use an error notice. */
export function toastError(error: unknown, retry?: () => void): void {
  toastFailure(typeof error === "string" ? error : errorSentence(error), retry);
}
