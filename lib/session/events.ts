import type { WriteProvenance } from "./context-provider";
import type { SessionMessageRole } from "./message";
import type { MaybePromise } from "./session-provider";
import type { Usage } from "./session-store";

/** Events of a session by type. They carry ids and numbers, never texts. */
export interface SessionEventMap {
  /** A new message, not a repeated append. */
  readonly append: {
    readonly messageId: string;
    readonly parentId: string | null;
    readonly role: SessionMessageRole;
  };
  readonly update: { readonly messageId: string };
  /** `null` and no ids when all messages were cleared. Very many ids are split over several events. */
  readonly delete: { readonly deletionId: string | null; readonly messageIds: readonly string[] };
  /** A deletion was undone. */
  readonly restore: { readonly deletionId: string };
  /** The session continues from another message. */
  readonly activate: { readonly messageId: string };
  readonly pin: { readonly messageId: string; readonly pinned: boolean };
  readonly label: { readonly messageId: string };
  readonly compact: {
    readonly compactionId: string;
    readonly action: "add" | "remove" | "restore" | "update";
  };
  /** A person loaded or unloaded a skill. */
  readonly skill: {
    readonly label: string;
    readonly key: string;
    readonly action: "load" | "unload";
  };
  readonly "block-write": {
    readonly blockId: string;
    readonly label: string;
    /** The entry of a skill or searchable block. */
    readonly key?: string | undefined;
    readonly action: "replace" | "append" | "remove";
    readonly author?: WriteProvenance["author"] | undefined;
  };
  readonly usage: Usage;
  /** The session's name, model, tags or existence changed. */
  readonly session: {
    readonly action: "create" | "fork" | "update" | "delete" | "restore";
  };
  /** A `Session` read a new history. */
  readonly load: { readonly messageCount: number };
  /** A call of a `Session` has stored everything; `messageIds` are those it appended or changed. */
  readonly save: { readonly messageIds: readonly string[] };
  /** The connection to other processes was lost for a while, so events may be missing. */
  readonly missed: Record<never, never>;
}

export type SessionEventType = keyof SessionEventMap;

export type WriteEventType = Exclude<SessionEventType, "missed">;

/**
 * Something that happened in a session of an owner. `missed` names no session, nor does a write to an owner's block
 * made outside a session.
 */
export type SessionEvent<Type extends SessionEventType = SessionEventType> = {
  [T in Type]: SessionEventMap[T] & {
    readonly type: T;
    readonly ownerId: string;
    readonly sessionId: T extends "missed"
      ? null
      : T extends "block-write"
        ? string | null
        : string;
  };
}[Type];

/** Called after each write; its errors never reach the writer. */
export type SessionListener<Type extends SessionEventType> = (
  event: SessionEvent<Type>,
) => MaybePromise<void>;

export interface ListenOptions {
  /** Only events of this session, and those about all sessions. */
  readonly sessionId?: string | undefined;
  /** Receives the listener's errors. Default: the handler of the events. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

export interface SessionEventsOptions {
  readonly onListenerError?: ((error: unknown) => void) | undefined;
  /** Forwards local events to other processes. */
  readonly carry?: ((event: SessionEvent) => void) | undefined;
}

interface Subscription {
  readonly type: SessionEventType | null;
  readonly sessionId: string | undefined;
  readonly listener: (event: never) => MaybePromise<void>;
  readonly onError: ((error: unknown) => void) | undefined;
}

/**
 * Emits the events of one owner's sessions. Listeners are called in order of subscription, one event after another,
 * after the write is stored. Nothing awaits them, and their errors are contained.
 */
export class SessionEvents {
  readonly #subscriptions = new Set<Subscription>();
  readonly #options: SessionEventsOptions;

  constructor(
    readonly ownerId = "",
    options: SessionEventsOptions = {},
  ) {
    this.#options = options;
  }

  /** @returns a function that unsubscribes. */
  on<Type extends SessionEventType>(
    type: Type,
    listener: SessionListener<Type>,
    options?: ListenOptions,
  ): () => void {
    return this.#add(type, listener, options);
  }

  /** @returns a function that unsubscribes. */
  onEvery(listener: SessionListener<SessionEventType>, options?: ListenOptions): () => void {
    return this.#add(null, listener, options);
  }

  /** Emits a local event. */
  emit<Type extends SessionEventType>(
    sessionId: SessionEvent<Type>["sessionId"],
    type: Type,
    details: SessionEventMap[Type],
  ): void {
    // TypeScript does not see that a member of the map and its type make a member of the union.
    const event = { ...details, type, ownerId: this.ownerId, sessionId } as unknown as SessionEvent;
    this.receive(event);
    this.#options.carry?.(event);
  }

  /** Emits an event of another process. */
  receive(event: SessionEvent): void {
    for (const subscription of [...this.#subscriptions]) {
      const { type, sessionId } = subscription;
      const isMeant = sessionId === undefined || (event.sessionId ?? sessionId) === sessionId;
      if (isMeant && (type === null || type === event.type)) void this.#tell(subscription, event);
    }
  }

  #add(
    type: SessionEventType | null,
    listener: (event: never) => MaybePromise<void>,
    { sessionId, onError }: ListenOptions = {},
  ): () => void {
    const subscription = { type, sessionId, listener, onError };
    this.#subscriptions.add(subscription);
    return () => void this.#subscriptions.delete(subscription);
  }

  async #tell({ listener, onError }: Subscription, event: SessionEvent): Promise<void> {
    try {
      await (listener as SessionListener<SessionEventType>)(event);
    } catch (error) {
      this.#report(onError ?? this.#options.onListenerError, error);
    }
  }

  #report(handler: ((error: unknown) => void) | undefined, error: unknown): void {
    try {
      handler?.(error);
    } catch {
      // A failing error handler must not fail the write.
    }
  }
}
