"use client";

import { useEffect, useEffectEvent, useMemo } from "react";
import { choicesSettled } from "@/app/_api/choices-under-way";
import { pageFetch, pagePerson } from "@/app/_api/page-person";
import { pageSpace } from "@/app/_ui/page-space";
import { type Store, useStore } from "@/app/_ui/store";
import type { SendResponse } from "@/lib/chat/wire/messages";
import { backoffMs, pause } from "./backoff";
import { type Delivery, deliver } from "./deliver";
import {
  adoptQueues,
  adoptRefused,
  discard,
  discarded,
  isOutgoing,
  nextOutbox,
  type Outbox,
  type OutboxEvent,
  type Outgoing,
  outbox,
  outboxesElsewhere,
  outgoingIn,
  type QueuedMessage,
  queueIn,
} from "./outbox";
import { offerAnswer } from "./run-stream";

type AcknowledgedListener = (outgoing: Outgoing, response: SendResponse) => void;

/** The delivery belongs to the tab, so that navigation does not interrupt it. */
function createOutboxDelivery(space: string | null, messages: Store<Outbox>) {
  const underWay = new Set<string>();
  const listeners = new Set<AcknowledgedListener>();
  const changeOutbox = (event: OutboxEvent) =>
    messages.update((present) => nextOutbox(present, event));

  async function carry(outgoing: Outgoing): Promise<void> {
    const controller = new AbortController();
    underWay.add(outgoing.id);
    const stopWatching = discarded.subscribe(() => {
      if (discarded.read().includes(outgoing.id)) controller.abort();
    });
    await choicesSettled();
    const delivery = await deliver(outgoing, {
      space,
      fetch: pageFetch,
      pause: (attempt) => pause(backoffMs(attempt), controller.signal),
      signal: controller.signal,
      onAttempt: () => changeOutbox({ type: "attempted", id: outgoing.id }),
    });
    stopWatching();
    underWay.delete(outgoing.id);
    if (delivery) settle(outgoing, delivery);
  }

  function settle(outgoing: Outgoing, delivery: Delivery): void {
    if (delivery.kind === "away") return;
    if (delivery.kind === "refused") {
      const { kind: type, ...refusal } = delivery;
      changeOutbox({ type, id: outgoing.id, ...refusal });
      return;
    }
    const { response, answer } = delivery;
    if (space !== pageSpace) answer?.leave();
    else if (answer && response.run) offerAnswer(response.run.id, answer);
    // The page shows the stored message before the outbox drops its copy, so that the text never flickers.
    for (const listener of listeners) listener(outgoing, response);
    changeOutbox({ type: "acknowledged", id: outgoing.id });
  }

  return {
    start(outbox: Outbox): void {
      for (const outgoing of outbox.filter(isOutgoing)) {
        if (outgoing.state.kind === "pending" && !underWay.has(outgoing.id)) void carry(outgoing);
      }
    },
    /** The server may store it anyway if already under way. */
    discard: (id: string) => discard(id, messages),
    onAcknowledged(listener: AcknowledgedListener): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export const outboxDelivery = createOutboxDelivery(pageSpace, outbox);

const deliveriesElsewhere = new Map<string | null, ReturnType<typeof createOutboxDelivery>>();

export function deliverElsewhere(): void {
  for (const { space, outbox } of outboxesElsewhere()) {
    const delivery = deliveriesElsewhere.get(space) ?? createOutboxDelivery(space, outbox);
    deliveriesElsewhere.set(space, delivery);
    delivery.start(outbox.read());
  }
}

export function deliverNow(): void {
  if (pagePerson.read() === "signed-in") outboxDelivery.start(outbox.read());
}

export interface UnsentOfChat {
  readonly outgoing: readonly Outgoing[];
  readonly queue: readonly QueuedMessage[];
}

export function useUnsent(sessionId: string): UnsentOfChat {
  const messages = useOutbox();
  useEffect(() => adoptRefused(sessionId), [sessionId]);
  return useMemo(
    () => ({ outgoing: outgoingIn(messages, sessionId), queue: queueIn(messages, sessionId) }),
    [messages, sessionId],
  );
}

export function useOutgoing(): readonly Outgoing[] {
  const messages = useOutbox();
  return useMemo(() => messages.filter(isOutgoing), [messages]);
}

function useOutbox(): Outbox {
  const messages = useStore(outbox);
  const person = useStore(pagePerson);
  useEffect(adoptQueues, []);
  useEffect(() => {
    if (person === "signed-in") outboxDelivery.start(messages);
  }, [messages, person]);
  useEffect(() => {
    if (person === "signed-in") deliverElsewhere();
  }, [person]);
  return messages;
}

export function useAcknowledged(
  listener: (outgoing: Outgoing, response: SendResponse) => void,
): void {
  const onAcknowledged = useEffectEvent(listener);
  useEffect(
    () => outboxDelivery.onAcknowledged((outgoing, response) => onAcknowledged(outgoing, response)),
    [],
  );
}
