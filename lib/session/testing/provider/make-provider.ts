import type { MaybePromise, SessionTreeProvider } from "@/lib/session/session-provider";

export type MakeProvider = () => MaybePromise<SessionTreeProvider>;
