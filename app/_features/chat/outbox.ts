/**
 * A message between the composer and the server's acknowledgement. It keeps its ids through every retry, so that
 * sending it again can never double it.
 */
export interface Outgoing {
  readonly id: string;
  readonly answerId: string;
  readonly sessionId: string;
  readonly text: string;
  /** Where it hangs: under a message, as a new root (`null`), or after the leaf its author saw (`undefined`). */
  readonly parentId?: string | null;
  readonly expectedLeaf: string | null;
  readonly model?: string;
  readonly generate: boolean;
  readonly newSession: boolean;
  readonly createdAt: string;
  readonly state: OutgoingState;
}

export type OutgoingState =
  | { readonly kind: "pending"; readonly attempts: number }
  /** The server refused it; sending the same again would be refused again. */
  | { readonly kind: "failed"; readonly reason: string };

/** Every unacknowledged message of every session, in the order it was written. */
export type Outbox = readonly Outgoing[];

export type OutboxEvent =
  | { readonly type: "written"; readonly outgoing: Outgoing }
  | { readonly type: "attempted"; readonly id: string }
  | { readonly type: "refused"; readonly id: string; readonly reason: string }
  | { readonly type: "retried"; readonly id: string }
  | { readonly type: "acknowledged"; readonly id: string }
  | { readonly type: "discarded"; readonly id: string };

/** The outbox after `event`. Events about a message that has left change nothing. */
export function nextOutbox(outbox: Outbox, event: OutboxEvent): Outbox {
  switch (event.type) {
    case "written":
      return outbox.some(({ id }) => id === event.outgoing.id)
        ? outbox
        : [...outbox, event.outgoing];
    case "attempted":
      return change(outbox, event.id, (outgoing) => ({
        kind: "pending",
        attempts: outgoing.state.kind === "pending" ? outgoing.state.attempts + 1 : 1,
      }));
    case "refused":
      return change(outbox, event.id, () => ({ kind: "failed", reason: event.reason }));
    case "retried":
      return change(outbox, event.id, () => ({ kind: "pending", attempts: 0 }));
    case "acknowledged":
    case "discarded":
      return outbox.filter(({ id }) => id !== event.id);
  }
}

export function outgoingOf(outbox: Outbox, sessionId: string): Outbox {
  return outbox.filter((outgoing) => outgoing.sessionId === sessionId);
}

function change(outbox: Outbox, id: string, next: (outgoing: Outgoing) => OutgoingState): Outbox {
  return outbox.map((outgoing) =>
    outgoing.id === id ? { ...outgoing, state: next(outgoing) } : outgoing,
  );
}
