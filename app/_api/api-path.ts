import { inSpace, pageSpace } from "@/app/_ui/page-space";

const ofPerson =
  /^\/api\/(?:about|account|backups|example|health|keys|models|ollama|people|projects|prompts|settings|tools|usage)(?=[/?]|$)/;

/** Requests about the person have one address in every space. */
export function apiPath(path: string, space: string | null = pageSpace): string {
  return ofPerson.test(path) ? path : inSpace(path, space);
}
