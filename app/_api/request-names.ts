import { ApiError } from "./api-error";

/** More would be requests that nobody repeats. */
const most = 100;

/** Names of this page's requests whose answer did not arrive, by content: nobody knows if they were done. */
const unanswered = new Map<string, string>();

/**
 * Sends a request under a name, by which the server answers a repeated one without doing it again. The next with the
 * same content has the same name as long as no answer has arrived.
 */
export async function named<Answer>(
  content: string,
  send: (name: string) => Promise<Answer>,
): Promise<Answer> {
  const name = unanswered.get(content) ?? crypto.randomUUID();
  // One at the same moment is another one: somebody asked for two.
  unanswered.delete(content);
  try {
    return await send(name);
  } catch (error) {
    if (isUnknown(error)) remember(content, name);
    throw error;
  }
}

function isUnknown(error: unknown): boolean {
  if (!(error instanceof ApiError)) return true;
  return error.code === "offline" || error.code === "request-running" || error.status >= 500;
}

function remember(content: string, name: string): void {
  unanswered.set(content, name);
  const [oldest] = unanswered.keys();
  if (unanswered.size > most && oldest !== undefined) unanswered.delete(oldest);
}
