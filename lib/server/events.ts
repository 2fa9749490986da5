import type { EventWire } from "@/lib/chat/wire/events";

export interface OwnedEvent {
  readonly ownerId: string;
  readonly event: EventWire;
}

type Listener = (event: EventWire) => void;

/** Delivers an owner's events to that owner's listeners in this process. */
export class EventHub {
  readonly #listeners = new Map<string, Set<Listener>>();

  /** @returns a function that unsubscribes. */
  subscribe(ownerId: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(ownerId) ?? new Set();
    this.#listeners.set(ownerId, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#listeners.delete(ownerId);
    };
  }

  publishToAll(event: EventWire): void {
    for (const ownerId of this.#listeners.keys()) this.publish({ ownerId, event });
  }

  publish({ ownerId, event }: OwnedEvent): void {
    for (const listener of this.#listeners.get(ownerId) ?? []) listener(event);
  }
}
