import type { MaybePromise } from "../../session-provider";
import type { ListSessionsOptions, SessionStore } from "../../session-store";
import { ids } from "../builders";

export type MakeStore = () => MaybePromise<SessionStore>;

export async function listed(
  store: SessionStore,
  options?: ListSessionsOptions,
): Promise<string[]> {
  return ids((await store.sessions.list(options)).sessions);
}

/** Waits until the clock shows a later time. */
export async function nextMillisecond(): Promise<void> {
  const now = Date.now();
  while (Date.now() === now) await Promise.resolve();
}
