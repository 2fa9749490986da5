import { pageSpace, storedInSpace } from "@/app/_ui/page-space";
import {
  createStore,
  createStores,
  readStored,
  type Store,
  storedNames,
  writeStored,
} from "@/app/_ui/store";
import type { AssistantRef } from "@/lib/chat/wire/assistants";
import type { AttachedFile } from "@/lib/chat/wire/files";
import type { AskedAnswer } from "@/lib/chat/wire/messages";
import type { ChatParameters } from "@/lib/chat/wire/request-fields";

/** A message keeps its ids through every retry. */
interface UnsentMessage {
  readonly id: string;
  readonly answerId: string;
  readonly sessionId: string;
  readonly text: string;
  readonly files?: readonly AttachedFile[];
  readonly assistant?: AssistantRef;
  readonly createdAt: string;
}

/** Sent only on a path with the answer `after`. */
export interface QueuedMessage extends UnsentMessage {
  readonly state: { readonly kind: "queued"; readonly after: string };
}

export interface Outgoing extends UnsentMessage {
  /** `null`: a new root; `undefined`: after the leaf its author saw. */
  readonly parentId?: string | null;
  readonly expectedLeaf: string | null;
  readonly model?: string;
  readonly parameters?: ChatParameters;
  /** `null` for none; absent: that of the project. */
  readonly firstAssistant?: AssistantRef | null;
  readonly together?: readonly AskedAnswer[];
  readonly generate: boolean;
  readonly newSession: boolean;
  readonly state: OutgoingState;
}

type OutgoingState =
  | { readonly kind: "pending"; readonly attempts: number }
  | { readonly kind: "failed"; readonly reason: string; readonly isMoved?: boolean };

export type Unsent = QueuedMessage | Outgoing;

/** Unacknowledged messages of all chats, in the order they were written. */
export type Outbox = readonly Unsent[];

export type OutboxEvent =
  | { readonly type: "written"; readonly outgoing: Outgoing }
  | { readonly type: "queued"; readonly message: QueuedMessage }
  | { readonly type: "answer-retried"; readonly answerId: string; readonly by: string }
  | { readonly type: "attempted"; readonly id: string }
  | {
      readonly type: "refused";
      readonly id: string;
      readonly reason: string;
      readonly isMoved?: boolean;
    }
  | { readonly type: "retried"; readonly id: string }
  | { readonly type: "acknowledged"; readonly id: string }
  /** Messages behind a queued one then wait for the answer it waited for. */
  | { readonly type: "discarded"; readonly id: string }
  | { readonly type: "moved"; readonly from: string; readonly to: string };

export function nextOutbox(outbox: Outbox, event: OutboxEvent): Outbox {
  switch (event.type) {
    case "written":
      return written(outbox, event.outgoing);
    case "queued":
      return outbox.some(({ id }) => id === event.message.id)
        ? outbox
        : [...outbox, behind(outbox, event.message)];
    case "answer-retried":
      return waitingFor(outbox, event.answerId, event.by);
    case "attempted":
      return change(outbox, event.id, ({ state }) => ({
        kind: "pending",
        attempts: state.kind === "pending" ? state.attempts + 1 : 1,
      }));
    case "refused":
      return change(outbox, event.id, () => {
        const { reason, isMoved = false } = event;
        return { kind: "failed", reason, ...(isMoved && { isMoved }) };
      });
    case "retried":
      return change(outbox, event.id, () => untried);
    case "acknowledged":
      return outbox.filter(({ id }) => id !== event.id);
    case "discarded":
      return without(outbox, event.id);
    case "moved":
      return outbox.map((unsent) => {
        if (unsent.sessionId !== event.from) return unsent;
        const moved = { ...unsent, sessionId: event.to };
        return isOutgoing(moved) ? { ...moved, state: untried } : moved;
      });
  }
}

const untried = { kind: "pending", attempts: 0 } as const;

function written(outbox: Outbox, outgoing: Outgoing): Outbox {
  const present = outbox.find(({ id }) => id === outgoing.id);
  if (present && isOutgoing(present)) return outbox;
  return [...outbox.filter((unsent) => unsent !== present), outgoing];
}

function behind(outbox: Outbox, message: QueuedMessage): QueuedMessage {
  const last = queueIn(outbox, message.sessionId).reduce(
    (after, { answerId, state }) => (state.after === after ? answerId : after),
    message.state.after,
  );
  return { ...message, state: { kind: "queued", after: last } };
}

function waitingFor(outbox: Outbox, answerId: string, after: string): Outbox {
  return outbox.map((unsent) =>
    !isOutgoing(unsent) && unsent.state.after === answerId
      ? { ...unsent, state: { kind: "queued", after } }
      : unsent,
  );
}

function without(outbox: Outbox, id: string): Outbox {
  const gone = outbox.find((unsent) => unsent.id === id);
  const others = outbox.filter((unsent) => unsent !== gone);
  if (!gone || isOutgoing(gone)) return others;
  return waitingFor(others, gone.answerId, gone.state.after);
}

function change(outbox: Outbox, id: string, next: (outgoing: Outgoing) => OutgoingState): Outbox {
  return outbox.map((unsent) =>
    unsent.id === id && isOutgoing(unsent) ? { ...unsent, state: next(unsent) } : unsent,
  );
}

export function isOutgoing(unsent: Unsent): unsent is Outgoing {
  return unsent.state.kind !== "queued";
}

export function outgoingIn(outbox: Outbox, sessionId: string): Outgoing[] {
  return outbox.filter(isOutgoing).filter((outgoing) => outgoing.sessionId === sessionId);
}

export function queueIn(outbox: Outbox, sessionId: string): QueuedMessage[] {
  return outbox.filter(
    (unsent): unsent is QueuedMessage => !isOutgoing(unsent) && unsent.sessionId === sessionId,
  );
}

const outboxNamed = createStores((name) =>
  createStore<Outbox>([], {
    name,
    parse: (stored) => (Array.isArray(stored) ? (stored as Outbox) : null),
    serialize: (messages) => (messages.length === 0 ? null : messages),
  }),
);

export function outboxOf(space: string | null): Store<Outbox> {
  return outboxNamed(storedInSpace("outbox", space));
}

export const outbox = outboxOf(pageSpace);

export function outboxesElsewhere(): { space: string | null; outbox: Store<Outbox> }[] {
  return storedNames("").flatMap((name) => {
    const [found, space = null] = /^(?:(p-[^:]+):)?outbox$/.exec(name) ?? [];
    return found === undefined || space === pageSpace ? [] : [{ space, outbox: outboxNamed(name) }];
  });
}

/** Waiting messages go along with a moved chat; one that may be under way is resent by its person. */
export function passUnsent(
  sessionId: string,
  [from, to]: readonly [space: string | null, space: string | null],
): void {
  const [source, target] = [outboxOf(from), outboxOf(to)];
  const its = source.read().filter((unsent) => unsent.sessionId === sessionId);
  if (its.length === 0) return;
  const state = { kind: "failed", reason: "The chat was moved before this was sent." } as const;
  target.update((present) => [
    ...present.filter(({ id }) => !its.some((unsent) => unsent.id === id)),
    ...its.map((each) => (isOutgoing(each) ? { ...each, state } : each)),
  ]);
  source.update((present) => present.filter(({ id }) => !its.some((each) => each.id === id)));
}

export function adoptRefused(sessionId: string): void {
  for (const { space, outbox } of outboxesElsewhere()) {
    const isRefused = outgoingIn(outbox.read(), sessionId).some(
      ({ state }) => state.kind === "failed" && state.isMoved,
    );
    if (isRefused) passUnsent(sessionId, [space, pageSpace]);
  }
}

/** Ids of messages that no tab sends any more. One that left the outbox alone may have been sent by another tab. */
export const discarded = createStore<readonly string[]>([], {
  name: "discarded",
  parse: (stored) => (Array.isArray(stored) ? (stored as readonly string[]) : null),
});

const discardedKept = 100;

export function changeOutbox(event: OutboxEvent): void {
  outbox.update((messages) => nextOutbox(messages, event));
}

export function discard(id: string, messages: Store<Outbox> = outbox): void {
  discarded.update((ids) => [...ids.slice(1 - discardedKept), id]);
  messages.update((present) => nextOutbox(present, { type: "discarded", id }));
}

const oldQueue = "queue:";

/** Version 0.2.0 kept the queue of each chat in an entry of its own. */
export function adoptQueues(): void {
  if (pageSpace !== null) return;
  for (const name of storedNames(oldQueue)) {
    const stored = readStored(name);
    const sessionId = name.slice(oldQueue.length);
    for (const message of Array.isArray(stored) ? (stored as readonly OldQueued[]) : [])
      changeOutbox({ type: "queued", message: newQueued({ ...message, sessionId }) });
    writeStored(name, null);
    // A full storage has room for it now.
    outbox.update((messages) => messages);
  }
}

interface OldQueued extends Pick<UnsentMessage, "id" | "answerId" | "text" | "files"> {
  readonly after: string;
}

export interface NewQueued
  extends Pick<UnsentMessage, "sessionId" | "text" | "files" | "assistant"> {
  readonly id?: string;
  readonly answerId?: string;
  readonly after: string;
}

export function newQueued({ after, ...message }: NewQueued): QueuedMessage {
  return {
    id: crypto.randomUUID(),
    answerId: crypto.randomUUID(),
    ...message,
    createdAt: new Date().toISOString(),
    state: { kind: "queued", after },
  };
}

export interface NewOutgoing {
  readonly sessionId: string;
  readonly text: string;
  readonly files?: readonly AttachedFile[];
  readonly ids?: { readonly id: string; readonly answerId: string };
  readonly parentId?: string | null;
  readonly expectedLeaf?: string | null;
  readonly model?: string;
  readonly parameters?: ChatParameters;
  readonly firstAssistant?: AssistantRef | null;
  readonly assistant?: AssistantRef;
  readonly together?: readonly string[];
  readonly generate?: boolean;
  readonly newSession?: boolean;
}

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
    state: untried,
  };
}
