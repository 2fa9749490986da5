import type { EventWire } from "@/lib/chat/wire/events";
import type { SessionEvent } from "@/lib/session";
import type { OwnedEvent } from "./events";

/** Debounces bursts from other processes. */
const gatherMs = 250;

/** Maps an event to the tab update it requires; `null` when tabs show nothing of it. */
export function tabEventOf(event: SessionEvent): EventWire | null {
  switch (event.type) {
    case "load":
    case "save":
    case "missed":
      return null;
    case "block-write":
      return { type: "memory-changed", label: event.label, sessionId: event.sessionId };
    case "session":
      return event.action === "delete"
        ? { type: "session-removed", sessionId: event.sessionId }
        : { type: "session-changed", sessionId: event.sessionId };
    default:
      return { type: "session-changed", sessionId: event.sessionId };
  }
}

/** Publishes events of other processes to tabs, debounced and without duplicates. */
export class TabEvents {
  readonly #publish: (event: OwnedEvent) => void;
  readonly #gathered = new Map<string, OwnedEvent>();

  constructor(publish: (event: OwnedEvent) => void) {
    this.#publish = publish;
  }

  hear(event: SessionEvent): void {
    const told = tabEventOf(event);
    if (!told) return;
    if (this.#gathered.size === 0) setTimeout(() => this.#tell(), gatherMs).unref();
    const owned = { ownerId: event.ownerId, event: told };
    this.#gathered.set(JSON.stringify(owned), owned);
  }

  #tell(): void {
    const events = [...this.#gathered.values()];
    this.#gathered.clear();
    for (const event of events) this.#publish(event);
  }
}
