import { isSessionError, ProviderFailedError, type SessionError } from "@/lib/session/errors";
import type { MaybePromise } from "@/lib/session/session-provider";

/** The block of a provider call, and its timeout in milliseconds. */
interface ProviderCall {
  readonly label: string;
  readonly deadlineMs: number;
}

/**
 * Calls a provider within a deadline. @throws {ProviderFailedError} when it throws or does not answer in time; errors
 * of this library pass unchanged.
 */
export async function callProvider<Answer>(
  { label, deadlineMs }: ProviderCall,
  call: () => MaybePromise<Answer>,
): Promise<Answer> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = new ProviderFailedError(label, `no answer within ${deadlineMs / 1_000} s`);
    timer = setTimeout(() => reject(error), deadlineMs);
  });
  try {
    return await Promise.race([Promise.resolve().then(call), late]);
  } catch (error) {
    throw asSessionError(label, error);
  } finally {
    clearTimeout(timer);
  }
}

/** The message of any thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function asSessionError(label: string, error: unknown): SessionError {
  if (isSessionError(error)) return error;
  return new ProviderFailedError(label, messageOf(error), { cause: error });
}
