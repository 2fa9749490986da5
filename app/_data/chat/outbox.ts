import { createStore } from "@/app/_ui/store";
import type { AttachedFile } from "@/lib/chat/wire/files";
import type { AskedAnswer } from "@/lib/chat/wire/messages";
import type { ModelParameters } from "@/lib/chat/wire/request-fields";

/** Keeps its ids through every retry, so that it is never stored twice. */
export interface Outgoing {
  readonly id: string;
  readonly answerId: string;
  readonly sessionId: string;
  readonly text: string;
  readonly files?: readonly AttachedFile[];
  /** `null`: a new root; `undefined`: after the leaf its author saw. */
  readonly parentId?: string | null;
  readonly expectedLeaf: string | null;
  readonly model?: string;
  /** Of a new chat. */
  readonly parameters?: ModelParameters;
  /** Models that answer at once; the first one's answer is `answerId`. */
  readonly together?: readonly AskedAnswer[];
  readonly generate: boolean;
  readonly newSession: boolean;
  readonly createdAt: string;
  readonly state: OutgoingState;
}

type OutgoingState =
  | { readonly kind: "pending"; readonly attempts: number }
  /** Sending it again would fail too. */
  | { readonly kind: "failed"; readonly reason: string };

export type Outbox = readonly Outgoing[];

export type OutboxEvent =
  | { readonly type: "written"; readonly outgoing: Outgoing }
  | { readonly type: "attempted"; readonly id: string }
  | { readonly type: "refused"; readonly id: string; readonly reason: string }
  | { readonly type: "retried"; readonly id: string }
  | { readonly type: "acknowledged"; readonly id: string }
  | { readonly type: "discarded"; readonly id: string }
  /** Its chat has another id now: a temporary one that was kept. */
  | { readonly type: "moved"; readonly from: string; readonly to: string };

/** Events about unknown messages change nothing. */
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
    case "moved":
      return outbox.map((outgoing) =>
        outgoing.sessionId === event.from
          ? { ...outgoing, sessionId: event.to, state: { kind: "pending", attempts: 0 } }
          : outgoing,
      );
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

export const outbox = createStore<Outbox>([], {
  name: "outbox",
  parse: (stored) => (Array.isArray(stored) ? (stored as Outbox) : null),
  serialize: (messages) => (messages.length === 0 ? null : messages),
});

export function changeOutbox(event: OutboxEvent): void {
  outbox.update((messages) => nextOutbox(messages, event));
}

export interface NewOutgoing {
  readonly sessionId: string;
  readonly text: string;
  readonly files?: readonly AttachedFile[];
  readonly ids?: { readonly id: string; readonly answerId: string };
  readonly parentId?: string | null;
  readonly expectedLeaf?: string | null;
  readonly model?: string;
  readonly parameters?: ModelParameters;
  /** Refs of models. */
  readonly together?: readonly string[];
  readonly generate?: boolean;
  readonly newSession?: boolean;
}

/** Builds a message for the outbox, with ids that never change. */
export function newOutgoing({ ids, together = [], ...message }: NewOutgoing): Outgoing {
  const answerId = ids?.answerId ?? crypto.randomUUID();
  const asked = together.map((model, index): AskedAnswer => {
    return { answerId: index === 0 ? answerId : crypto.randomUUID(), model };
  });
  return {
    expectedLeaf: null,
    generate: true,
    newSession: false,
    ...message,
    id: ids?.id ?? crypto.randomUUID(),
    answerId,
    ...(asked.length > 1 && { together: asked }),
    createdAt: new Date().toISOString(),
    state: { kind: "pending", attempts: 0 },
  };
}
