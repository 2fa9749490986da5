import { ApiError } from "./api-error";

/** Bounds memory: the oldest names are forgotten. */
const most = 100;
/** Somebody who asks for the same later means another one. */
const rememberedMs = 60_000;
/** Passwords and long texts are not remembered. */
const longestContent = 20_000;

/** Names of this page's requests whose answer did not arrive, by content: nobody knows if they were done. */
const unanswered = new Map<string, { readonly name: string; readonly failedAt: number }>();

/**
 * Sends a request under a name, by which the server answers a repeated one without doing it again. The next with the
 * same content has the same name for a minute, as long as no answer has arrived.
 */
export async function named<Answer>(
  content: string,
  send: (name: string) => Promise<Answer>,
): Promise<Answer> {
  const known = unanswered.get(content);
  const isRecent = known !== undefined && Date.now() - known.failedAt < rememberedMs;
  const name = isRecent ? known.name : crypto.randomUUID();
  // A second press while the first runs asks for a second thing.
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
  if (content.length > longestContent || content.startsWith("/api/account/")) return;
  unanswered.set(content, { name, failedAt: Date.now() });
  const [oldest] = unanswered.keys();
  if (unanswered.size > most && oldest !== undefined) unanswered.delete(oldest);
}
