import {
  type SessionEventMap,
  SessionEvents,
  type SessionEventType,
  type SessionListener,
  type WriteEventType,
} from "@/lib/session/events";
import { isSessionStore } from "@/lib/session/session-store";
import type { SessionSource } from "./wire-session";

const eventsBySource = new WeakMap<object, SessionEvents>();

/** The store's events, or one shared instance per source object. */
export function eventsOf(source: SessionSource): SessionEvents {
  if (isSessionStore(source) && source.events) return source.events;
  const events = eventsBySource.get(source) ?? new SessionEvents();
  eventsBySource.set(source, events);
  return events;
}

export interface SessionVoiceOptions {
  readonly sessionId: string;
  readonly source: SessionSource;
  readonly onListenerError?: ((error: unknown) => void) | undefined;
}

/** Emits and subscribes to the events of one session. */
export class SessionVoice {
  readonly #events: SessionEvents;
  readonly #options: SessionVoiceOptions;
  /** The storage emits its writes, so the session must not repeat them. */
  readonly #storageTells: boolean;
  #callsUnderWay = 0;
  /** Messages written by the current calls; `null` for none. */
  #saved: string[] | null = null;

  constructor(options: SessionVoiceOptions) {
    const { source } = options;
    this.#options = options;
    this.#events = eventsOf(source);
    this.#storageTells = isSessionStore(source) && source.events !== undefined;
  }

  on<Type extends SessionEventType>(type: Type, listener: SessionListener<Type>): () => void {
    const { sessionId, onListenerError: onError } = this.#options;
    return this.#events.on(type, listener, { sessionId, onError });
  }

  /** Emits an event only the session knows about. */
  emit<Type extends WriteEventType>(type: Type, details: SessionEventMap[Type]): void {
    this.#events.emit<WriteEventType>(this.#options.sessionId, type, details);
  }

  /** Emits a write, unless the storage does. */
  wrote<Type extends WriteEventType>(type: Type, details: SessionEventMap[Type]): void {
    if (!this.#storageTells) this.emit(type, details);
    this.note("messageId" in details ? details.messageId : undefined);
  }

  /** Records a write for the following `save`. */
  note(messageId?: string): void {
    this.#saved ??= [];
    if (messageId !== undefined) this.#saved.push(messageId);
  }

  /** Runs a writing call; emits one `save` after the outermost call. */
  async saving<Result>(write: () => Promise<Result>): Promise<Result> {
    this.#callsUnderWay++;
    try {
      return await write();
    } finally {
      this.#callsUnderWay--;
      if (this.#callsUnderWay === 0) this.#tellSaved();
    }
  }

  #tellSaved(): void {
    if (this.#saved === null) return;
    const messageIds = [...new Set(this.#saved)];
    this.#saved = null;
    this.emit("save", { messageIds });
  }
}
