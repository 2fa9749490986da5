import { errorSentence } from "@/app/_api/api-error";
import { toastError } from "./toast";

/** Says why something asked for did not happen, where the page has no place of its own for it. */
export function complain(error: unknown): void {
  toastError(errorSentence(error));
}
