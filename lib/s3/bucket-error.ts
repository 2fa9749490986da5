export type FailureClass = new (message: string, options?: ErrorOptions) => Error;

/**
 * Takes only status and code from the response, which may repeat the key id or the whole request.
 *
 * @param bucket its name in sentences, such as `Bucket "notes" at s3.example.com`
 */
export function bucketError(Failure: FailureClass, bucket: string, error: unknown): Error {
  if (error instanceof Failure) return error;
  return new Failure(sentence(bucket, error), { cause: plainCause(error) });
}

export function isMissing(error: unknown): boolean {
  return statusOf(error) === 404 && codeOf(error) !== "NoSuchBucket";
}

/** An empty object has no range either. */
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

function codeOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const { serviceCode, code, cause } = error as Error & { serviceCode?: unknown; code?: unknown };
  for (const word of [serviceCode, code]) {
    if (typeof word === "string" && /^\w{1,60}$/.test(word) && word !== "Unknown") return word;
  }
  return codeOf(cause);
}

/** A client's errors may contain its request. */
function plainCause(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
