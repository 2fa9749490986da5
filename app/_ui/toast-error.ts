import { errorSentence } from "@/app/_api/api-error";
import { toastError } from "./toast";

/** Shows why an action failed where the page has no place for it. */
export function complain(error: unknown): void {
  toastError(errorSentence(error));
}
