import { createStore } from "@/app/_ui/store";
import { nextOutbox, type Outbox, type OutboxEvent } from "./outbox";

/** The outbox in local storage, shared by tabs. */
export const outbox = createStore<Outbox>([], {
  name: "outbox",
  parse: (stored) => (Array.isArray(stored) ? (stored as Outbox) : null),
  serialize: (messages) => (messages.length === 0 ? null : messages),
});

export function changeOutbox(event: OutboxEvent): void {
  outbox.update((messages) => nextOutbox(messages, event));
}
