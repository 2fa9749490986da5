import type { MaybePromise, SessionTreeProvider } from "@/lib/session/session-provider";

/** Makes a provider over a new empty session. */
export type MakeProvider = () => MaybePromise<SessionTreeProvider>;
