import type { WriteProvenance } from "./context-provider";
import type { SessionMessageRole } from "./message";
import { reportFailure } from "./report-failure";

/** Usage of model calls, added to the totals of a session. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Dollars. */
  readonly cost: number;
}

/** The events of a session by type. They carry ids and numbers, never texts; a listener that wants those reads them. */
interface SessionEventMap {
  /** A new message, not a repeated append. */
  readonly append: {
    readonly messageId: string;
    readonly parentId: string | null;
    readonly role: SessionMessageRole;
  };
  readonly update: { readonly messageId: string };
  /** `null` and no ids when all messages were cleared. Very many ids are spread over several events. */
  readonly delete: { readonly deletionId: string | null; readonly messageIds: readonly string[] };
  /** A deletion was undone. */
  readonly restore: { readonly deletionId: string };
  /** The session continues from another message; `null`: before its first one. */
  readonly activate: { readonly messageId: string | null };
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
  /** The block itself: its label, description, limit or writers, or whether it is there. */
  readonly block: {
    readonly blockId: string;
    readonly action: "create" | "update" | "delete" | "restore";
  };
  readonly proposal: {
    readonly proposalId: string;
    readonly action: "add" | "accept" | "decline";
  };
  /** The frozen prompt was rendered. */
  readonly prompt: Record<never, never>;
  readonly usage: Usage;
  /** The session itself: its name, model, tags, or whether it is there. */
  readonly session: {
    readonly action: "create" | "fork" | "update" | "delete" | "restore";
  };
  /** A `Session` read a new history. */
  readonly load: { readonly messageCount: number };
  /** A call of a `Session` has stored everything it had to; `messageIds` are those it appended or changed. */
  readonly save: { readonly messageIds: readonly string[] };
  /** Settings of the owner, providers and keys included. */
  readonly settings: Record<never, never>;
  /** Much of the owner's data at once. */
  readonly data: { readonly action: "import" | "delete" };
  /** The connection to other processes was lost for a while, so events may be missing. */
  readonly missed: Record<never, never>;
}

export type SessionEventType = keyof SessionEventMap;

type OwnerEventType = "settings" | "data" | "missed";

/** Something that happened, as the code that observed it describes it. */
export type NewSessionEvent<Type extends SessionEventType = SessionEventType> = {
  [T in Type]: SessionEventMap[T] & {
    readonly type: T;
    /** `null` for what concerns every session: settings, and blocks that apply to all of them. */
    readonly sessionId: T extends OwnerEventType
      ? null
      : T extends "block-write" | "block" | "proposal"
        ? string | null
        : string;
  };
}[Type];

/** An event as listeners receive it. */
export type SessionEvent<Type extends SessionEventType = SessionEventType> =
  NewSessionEvent<Type> & {
    readonly ownerId: string;
    /** The client that requested the write, if known. */
    readonly origin?: string | undefined;
  };

/** Called after each write. What it returns is ignored, and its errors never reach the writer. */
export type SessionListener<Type extends SessionEventType> = (event: SessionEvent<Type>) => unknown;

/** Narrows what a listener receives, and handles its failures. */
export interface ListenOptions {
  /** Only events of this session, and those that concern every session. */
  readonly sessionId?: string | undefined;
  /** Receives the errors of the listener. Default: the handler of the events, else a warning on the console. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** Connects events to the process they happen in. */
export interface SessionEventsOptions {
  readonly onListenerError?: ((error: unknown) => void) | undefined;
  /** Receives every event that is emitted here, after the listeners. */
  readonly publish?: ((event: SessionEvent) => void) | undefined;
  /** Names the client that is being served. */
  readonly origin?: (() => string | undefined) | undefined;
}

interface Subscription {
  readonly type: SessionEventType | null;
  readonly sessionId: string | undefined;
  readonly listener: (event: never) => unknown;
  readonly onError: ((error: unknown) => void) | undefined;
}

/**
 * The events of one owner's sessions. Listeners are called in the order in which they subscribed, one event after the
 * other, after the write is stored. Nobody waits for them, and one that fails breaks nothing.
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

  /** Calls `listener` for every later event of a type. @returns a function that unsubscribes it. */
  on<Type extends SessionEventType>(
    type: Type,
    listener: SessionListener<Type>,
    options?: ListenOptions,
  ): () => void {
    return this.#subscribe(type, listener, options);
  }

  /** Calls `listener` for every later event. @returns a function that unsubscribes it. */
  onEvery(listener: SessionListener<SessionEventType>, options?: ListenOptions): () => void {
    return this.#subscribe(null, listener, options);
  }

  /** Passes an event of this process to listeners and on to other processes. */
  emit(event: NewSessionEvent): void {
    const origin = this.#options.origin?.();
    const emitted = { ...event, ownerId: this.ownerId, ...(origin !== undefined && { origin }) };
    this.receive(emitted);
    this.#options.publish?.(emitted);
  }

  /** Passes an event of another process to listeners. */
  receive(event: SessionEvent): void {
    for (const subscription of [...this.#subscriptions]) {
      const { type, sessionId } = subscription;
      const matches = sessionId === undefined || (event.sessionId ?? sessionId) === sessionId;
      if (matches && (type === null || type === event.type)) void this.#call(subscription, event);
    }
  }

  #subscribe(
    type: SessionEventType | null,
    listener: (event: never) => unknown,
    { sessionId, onError }: ListenOptions = {},
  ): () => void {
    const subscription = { type, sessionId, listener, onError };
    this.#subscriptions.add(subscription);
    return () => void this.#subscriptions.delete(subscription);
  }

  async #call({ listener, onError }: Subscription, event: SessionEvent): Promise<void> {
    try {
      await (listener as SessionListener<SessionEventType>)(event);
    } catch (error) {
      const handler = onError ?? this.#options.onListenerError;
      await reportFailure(error, { what: `A listener to "${event.type}"`, source: this, handler });
    }
  }
}
