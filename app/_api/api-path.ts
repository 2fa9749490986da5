import { inSpace, pageSpace } from "@/app/_ui/page-space";

const ofPerson =
  /^\/api\/(?:about|account|backups|example|health|keys|models|ollama|people|projects|prompts|settings|tools|usage)(?=[/?]|$)/;

/** The address of a request in a space; what is the person's has the same address in each. */
export function apiPath(path: string, space: string | null = pageSpace): string {
  return ofPerson.test(path) ? path : inSpace(path, space);
}
