import type { EventWire } from "@/lib/chat/wire/events";

/** What happened, and whose it is. */
export interface OwnedEvent {
  readonly ownerId: string;
  readonly event: EventWire;
}

type Listener = (event: EventWire) => void;

/** Hands events of an owner to whoever of that owner is listening in this process. */
export class EventHub {
  readonly #listeners = new Map<string, Set<Listener>>();

  /** @returns a function that ends it. */
  subscribe(ownerId: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(ownerId) ?? new Set();
    this.#listeners.set(ownerId, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#listeners.delete(ownerId);
    };
  }

  /** To every owner. */
  publishToAll(event: EventWire): void {
    for (const ownerId of this.#listeners.keys()) this.publish({ ownerId, event });
  }

  publish({ ownerId, event }: OwnedEvent): void {
    for (const listener of this.#listeners.get(ownerId) ?? []) listener(event);
  }
}
