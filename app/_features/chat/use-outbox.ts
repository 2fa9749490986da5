"use client";

import { useEffect, useEffectEvent, useMemo, useSyncExternalStore } from "react";
import type { SendResponse } from "@/lib/chat/wire/messages";
import { type Outbox, type Outgoing, outgoingOf } from "./outbox";
import { outboxDelivery } from "./outbox-delivery";
import { outboxStore } from "./outbox-store";

/** The unacknowledged messages of one session, in the order they were written. Delivery starts by itself. */
export function useOutgoing(sessionId: string): Outbox {
  const outbox = useOutbox();
  return useMemo(() => outgoingOf(outbox, sessionId), [outbox, sessionId]);
}

/** Every unacknowledged message of this browser. */
export function useOutbox(): Outbox {
  const outbox = useSyncExternalStore(
    outboxStore.subscribe,
    outboxStore.read,
    outboxStore.readOnServer,
  );
  useEffect(() => outboxDelivery.start(outbox), [outbox]);
  return outbox;
}

/** Calls `listener` when the server has stored a message of this tab. */
export function useAcknowledged(
  listener: (outgoing: Outgoing, response: SendResponse) => void,
): void {
  const onAcknowledged = useEffectEvent(listener);
  useEffect(
    () => outboxDelivery.onAcknowledged((outgoing, response) => onAcknowledged(outgoing, response)),
    [],
  );
}
