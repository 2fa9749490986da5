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

/** The events of a source of sessions: those of its store, otherwise the same for all who ask about the same object. */
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

/** How one session speaks and hears. */
export class SessionVoice {
  readonly #events: SessionEvents;
  readonly #options: SessionVoiceOptions;
  /** Whether the storage tells of what is written through it, so that nothing is told twice. */
  readonly #storageTells: boolean;
  #callsUnderWay = 0;
  /** What the calls under way have written; `null` while that is nothing. */
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

  /** Tells what only the session knows. */
  emit<Type extends WriteEventType>(type: Type, details: SessionEventMap[Type]): void {
    this.#events.emit<WriteEventType>(this.#options.sessionId, type, details);
  }

  /** Tells of a write to the storage, unless the storage does so itself. */
  wrote<Type extends WriteEventType>(type: Type, details: SessionEventMap[Type]): void {
    if (!this.#storageTells) this.emit(type, details);
    this.note("messageId" in details ? details.messageId : undefined);
  }

  /** Notes a write, of a message or of something else, for the `save` that follows. */
  note(messageId?: string): void {
    this.#saved ??= [];
    if (messageId !== undefined) this.#saved.push(messageId);
  }

  /** Runs a call that writes. When it, and whatever it is part of, is through, one `save` is told of all of it. */
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
