import { SkillSourceError } from "@/lib/skills/skill-source";

/**
 * What went wrong with a bucket, as a sentence. Only a status and a code are taken over from what the server said: its
 * answer may repeat the key id or the whole request.
 *
 * @param bucket how sentences name it, such as `Bucket "notes" at s3.example.com`
 */
export function bucketError(bucket: string, error: unknown): SkillSourceError {
  if (error instanceof SkillSourceError) return error;
  return new SkillSourceError(sentence(bucket, error), { cause: plainCause(error) });
}

/** What to say of a bucket that was given up. */
export function lateError(bucket: string, timeoutMs: number): SkillSourceError {
  return new SkillSourceError(`${bucket} did not answer within ${timeoutMs / 1_000} s.`);
}

/** Whether a server said that there is no such object. */
export function isMissing(error: unknown): boolean {
  return statusOf(error) === 404 && codeOf(error) !== "NoSuchBucket";
}

/** Whether a server said that an object has no such part, as it does for an empty one. */
export function isBeyondEnd(error: unknown): boolean {
  return statusOf(error) === 416;
}

function sentence(bucket: string, error: unknown): string {
  const status = statusOf(error);
  const code = codeOf(error);
  if (status === null) return `${bucket} cannot be reached${code ? ` (${code})` : ""}.`;
  const said = code ? `${status} ${code}` : `${status}`;
  if (status === 401 || status === 403) return `${bucket} refused the credentials (${said}).`;
  if (status === 404) return `${bucket} does not exist (${said}).`;
  if (status >= 300 && status < 400) return `${bucket} is in another region (${said}).`;
  return `${bucket} answered with an error (${said}).`;
}

function statusOf(error: unknown): number | null {
  const status = error instanceof Error && "status" in error ? error.status : null;
  return typeof status === "number" ? status : null;
}

/** A word that a server or the network calls the failure; anything longer may be more than a word. */
function codeOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const { serviceCode, code, cause } = error as Error & { serviceCode?: unknown; code?: unknown };
  for (const word of [serviceCode, code]) {
    if (typeof word === "string" && /^\w{1,60}$/.test(word) && word !== "Unknown") return word;
  }
  return codeOf(cause);
}

/** Errors of a client may hold its request; their name is enough to tell them apart. */
function plainCause(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
