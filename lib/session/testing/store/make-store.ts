import type { MaybePromise } from "@/lib/session/session-provider";
import type { SessionStore } from "@/lib/session/session-store";

export type MakeStore = () => MaybePromise<SessionStore>;
