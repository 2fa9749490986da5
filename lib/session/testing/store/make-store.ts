import type { MaybePromise } from "@/lib/session/session-provider";
import type { SessionStore } from "@/lib/session/session-store";

/** Makes an empty store of a new owner. */
export type MakeStore = () => MaybePromise<SessionStore>;
