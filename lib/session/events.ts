import type { WriteProvenance } from "./context-provider";
import type { SessionMessageRole } from "./message";
import { reportFailure } from "./report-failure";

/** Added to a session's totals. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Dollars. */
  readonly cost: number;
}

/** Events carry ids and numbers, never texts. */
export interface SessionEventMap {
  /** A new message, not a repeated append. */
  readonly append: {
    readonly messageId: string;
    readonly parentId: string | null;
    readonly role: SessionMessageRole;
  };
  readonly update: { readonly messageId: string };
  /** `null` and no ids when all messages were cleared. Many ids are spread over several events. */
  readonly delete: { readonly deletionId: string | null; readonly messageIds: readonly string[] };
  readonly restore: { readonly deletionId: string };
  /** `null`: before its first message. */
  readonly activate: { readonly messageId: string | null };
  readonly pin: { readonly messageId: string; readonly pinned: boolean };
  readonly label: { readonly messageId: string };
  readonly compact: {
    readonly compactionId: string;
    readonly action: "add" | "remove" | "restore" | "update";
  };
  readonly skill: {
    readonly label: string;
    readonly key: string;
    readonly action: "load" | "unload";
  };
  readonly "block-write": {
    readonly blockId: string;
    readonly label: string;
    readonly key?: string | undefined;
    readonly action: "replace" | "append" | "remove";
    readonly author?: WriteProvenance["author"] | undefined;
  };
  /** Label, description, limit, writers or presence changed. */
  readonly block: {
    readonly blockId: string;
    readonly action: "create" | "update" | "delete" | "restore";
  };
  readonly proposal: {
    readonly proposalId: string;
    readonly action: "add" | "accept" | "decline";
  };
  readonly prompt: Record<never, never>;
  readonly usage: Usage;
  /** Name, model, tags or presence changed. */
  readonly session: {
    readonly action: "create" | "fork" | "update" | "delete" | "restore";
  };
  readonly load: { readonly messageCount: number };
  /** `messageIds` are the appended and changed ones. */
  readonly save: { readonly messageIds: readonly string[] };
  /** Providers and keys are settings, too. */
  readonly settings: Record<never, never>;
  /** Much of the owner's data at once. */
  readonly data: { readonly action: "import" | "delete" };
  /** Events of other processes may be missing. */
  readonly missed: Record<never, never>;
}

export type SessionEventType = keyof SessionEventMap;

export type OwnerEventType = "settings" | "data" | "missed";

export type NewSessionEvent<Type extends SessionEventType = SessionEventType> = {
  [T in Type]: SessionEventMap[T] & {
    readonly type: T;
    /** `null` for settings and for blocks of all sessions. */
    readonly sessionId: T extends OwnerEventType
      ? null
      : T extends "block-write" | "block" | "proposal"
        ? string | null
        : string;
  };
}[Type];

export type SessionEvent<Type extends SessionEventType = SessionEventType> =
  NewSessionEvent<Type> & {
    readonly ownerId: string;
    /** The client that requested the write. */
    readonly origin?: string | undefined;
  };

/** Called after each write. Its result is ignored, and its errors never reach the writer. */
export type SessionListener<Type extends SessionEventType> = (event: SessionEvent<Type>) => unknown;

export interface ListenOptions {
  /** Limits events to this session and those about every session. */
  readonly sessionId?: string | undefined;
  /** Default: the handler of the events, else a warning on the console. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

export interface SessionEventsOptions {
  readonly onListenerError?: ((error: unknown) => void) | undefined;
  /** Called for events emitted here, after the listeners. */
  readonly publish?: ((event: SessionEvent) => void) | undefined;
  /** Names the client being served. */
  readonly origin?: (() => string | undefined) | undefined;
}

interface Subscription {
  readonly type: SessionEventType | null;
  readonly sessionId: string | undefined;
  readonly listener: (event: never) => unknown;
  readonly onError: ((error: unknown) => void) | undefined;
}

/**
 * Listeners are called in order once a write is stored; the writer does not wait, and a failing listener breaks
 * nothing.
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

  on<Type extends SessionEventType>(
    type: Type,
    listener: SessionListener<Type>,
    options?: ListenOptions,
  ): () => void {
    return this.#subscribe(type, listener, options);
  }

  onEvery(listener: SessionListener<SessionEventType>, options?: ListenOptions): () => void {
    return this.#subscribe(null, listener, options);
  }

  /** Publishes the event to other processes, too. */
  emit(event: NewSessionEvent): void {
    const origin = this.#options.origin?.();
    const emitted = { ...event, ownerId: this.ownerId, ...(origin !== undefined && { origin }) };
    this.receive(emitted);
    this.#options.publish?.(emitted);
  }

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
