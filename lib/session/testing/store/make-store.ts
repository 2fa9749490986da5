import type { MaybePromise } from "@/lib/session/session-provider";
import type { SessionStore } from "@/lib/session/session-store";

/** Makes a store without sessions; every call another owner. */
export type MakeStore = () => MaybePromise<SessionStore>;
