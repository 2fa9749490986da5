import type { MaybePromise, SessionTreeProvider } from "@/lib/session/session-provider";

/** Makes a provider over an empty session; every call another session. */
export type MakeProvider = () => MaybePromise<SessionTreeProvider>;
