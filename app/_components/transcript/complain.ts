import { toastError } from "@/app/_components/ui/toast";
import { errorSentence } from "@/app/_hooks/api/api-error";

/** Says why something asked for did not happen, where the page has no place of its own for it. */
export function complain(error: unknown): void {
  toastError(errorSentence(error));
}
