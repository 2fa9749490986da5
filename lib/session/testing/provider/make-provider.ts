import type { MaybePromise, SessionTreeProvider } from "../../session-provider";

export type MakeProvider = () => MaybePromise<SessionTreeProvider>;
