import type { MaybePromise } from "@/lib/session/session-provider";
import type { ListSessionsOptions, SessionStore } from "@/lib/session/session-store";
import { ids } from "@/lib/session/testing/builders";

export type MakeStore = () => MaybePromise<SessionStore>;

export async function listed(
  store: SessionStore,
  options?: ListSessionsOptions,
): Promise<string[]> {
  return ids((await store.sessions.list(options)).sessions);
}

/** Waits, so that what follows has a later time. */
export async function nextMillisecond(): Promise<void> {
  const now = Date.now();
  while (Date.now() === now) await Promise.resolve();
}
