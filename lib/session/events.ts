import type { WriteProvenance } from "./context-provider";
import type { SessionMessageRole } from "./message";
import type { MaybePromise } from "./session-provider";
import type { Usage } from "./session-store";

/** What can be heard of a session, by type. Ids and numbers, never texts: whoever wants those reads them. */
export interface SessionEventMap {
  /** A new message; a repeated append is none. */
  readonly append: {
    readonly messageId: string;
    readonly parentId: string | null;
    readonly role: SessionMessageRole;
  };
  readonly update: { readonly messageId: string };
  /** `null` and no ids when all messages were cleared. Of very many ids each event holds a part. */
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
  /** The session itself: its name, model, tags, whether it is there. */
  readonly session: {
    readonly action: "create" | "fork" | "update" | "delete" | "restore";
  };
  /** A `Session` read a history that it had not read before. */
  readonly load: { readonly messageCount: number };
  /** A call of a `Session` has stored all it had to; `messageIds` are those it appended or changed. */
  readonly save: { readonly messageIds: readonly string[] };
  /** The connection to other processes was lost for a while: read again what matters. */
  readonly missed: Record<never, never>;
}

/** The name of an event, such as `append` or `block-write`. */
export type SessionEventType = keyof SessionEventMap;

/** The events that are about one session. */
export type WriteEventType = Exclude<SessionEventType, "missed">;

/**
 * Something that happened in a session of an owner. `missed` is about all sessions, so it names none; neither does the
 * write of a block that holds everywhere when it was made outside any session.
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

/** Called for each event after its write; what it throws never reaches the writer. */
export type SessionListener<Type extends SessionEventType> = (
  event: SessionEvent<Type>,
) => MaybePromise<void>;

/** Which events a listener hears, and who hears of its failures. */
export interface ListenOptions {
  /** Only events of this session, and those that are about all of them. */
  readonly sessionId?: string | undefined;
  /** Hears when the listener fails. Omitted: the handler of the events themselves. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** Who hears when a listener fails, and what carries events to other processes. */
export interface SessionEventsOptions {
  readonly onListenerError?: ((error: unknown) => void) | undefined;
  /** Carries an event that happened here to other processes. */
  readonly carry?: ((event: SessionEvent) => void) | undefined;
}

interface Subscription {
  readonly type: SessionEventType | null;
  readonly sessionId: string | undefined;
  readonly listener: (event: never) => MaybePromise<void>;
  readonly onError: ((error: unknown) => void) | undefined;
}

/**
 * Tells what happens in the sessions of one owner. Listeners are called in the order in which they came, one event after
 * the other, after what the event tells of is stored. Nobody waits for them, and one that fails breaks nothing.
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

  /** Calls `listener` for every later event of a type. @returns a function that ends it. */
  on<Type extends SessionEventType>(
    type: Type,
    listener: SessionListener<Type>,
    options?: ListenOptions,
  ): () => void {
    return this.#add(type, listener, options);
  }

  /** Calls `listener` for every later event. @returns a function that ends it. */
  onEvery(listener: SessionListener<SessionEventType>, options?: ListenOptions): () => void {
    return this.#add(null, listener, options);
  }

  /** Tells of something that has happened here. */
  emit<Type extends SessionEventType>(
    sessionId: SessionEvent<Type>["sessionId"],
    type: Type,
    details: SessionEventMap[Type],
  ): void {
    // TypeScript does not see that a member of the map and its own type make a member of the union.
    const event = { ...details, type, ownerId: this.ownerId, sessionId } as unknown as SessionEvent;
    this.receive(event);
    this.#options.carry?.(event);
  }

  /** Tells of something that has happened elsewhere. */
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
      // A handler that fails must not fail the write it hears of.
    }
  }
}
