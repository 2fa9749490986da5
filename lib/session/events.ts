import type { BlockWrite } from "./context/context-blocks";
import type { AppendResult, SessionMessage } from "./message";
import type { Compaction, Deletion, MaybePromise } from "./session-provider";
import type { Usage } from "./session-store";

/** What a session tells its listeners, by type. */
export interface SessionEventMap {
  /** A new message; a repeated append is none. */
  readonly append: AppendResult;
  readonly update: { readonly message: SessionMessage };
  /** `null` when all messages were cleared. */
  readonly delete: { readonly deletion: Deletion | null };
  readonly compact: { readonly compaction: Compaction };
  readonly "block-write": BlockWrite;
  readonly usage: Usage;
}

export type SessionEventType = keyof SessionEventMap;

/** Hears of one type of event, with the session it happened in. */
export type SessionListener<Type extends SessionEventType> = (
  event: SessionEventMap[Type] & { readonly sessionId: string },
) => MaybePromise<void>;

/** Tells listeners what has happened. A listener that fails never breaks the write it hears of. */
export class SessionEvents {
  readonly #listeners = new Map<SessionEventType, Set<(event: never) => MaybePromise<void>>>();

  constructor(
    readonly sessionId: string,
    readonly onListenerError: (error: unknown) => void = () => undefined,
  ) {}

  /** Calls `listener` for every later event. @returns a function that ends it. */
  on<Type extends SessionEventType>(type: Type, listener: SessionListener<Type>): () => void {
    const listeners = this.#listeners.get(type) ?? new Set();
    this.#listeners.set(type, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  emit<Type extends SessionEventType>(type: Type, event: SessionEventMap[Type]): void {
    const listeners = this.#listeners.get(type) as Set<SessionListener<Type>> | undefined;
    for (const listener of listeners ?? []) {
      void this.#tell(() => listener({ ...event, sessionId: this.sessionId }));
    }
  }

  async #tell(call: () => MaybePromise<void>): Promise<void> {
    try {
      await call();
    } catch (error) {
      this.onListenerError(error);
    }
  }
}
