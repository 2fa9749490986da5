"use client";

import { useEffect, useEffectEvent, useMemo } from "react";
import { useStore } from "@/app/_ui/store";
import type { SendResponse } from "@/lib/chat/wire/messages";
import { type Outbox, type Outgoing, outbox, outgoingOf } from "./outbox";
import { outboxDelivery } from "./outbox-delivery";

export function useOutgoing(sessionId: string): Outbox {
  const messages = useOutbox();
  return useMemo(() => outgoingOf(messages, sessionId), [messages, sessionId]);
}

export function useOutbox(): Outbox {
  const messages = useStore(outbox);
  useEffect(() => outboxDelivery.start(messages), [messages]);
  return messages;
}

/** Only for messages of this tab. */
export function useAcknowledged(
  listener: (outgoing: Outgoing, response: SendResponse) => void,
): void {
  const onAcknowledged = useEffectEvent(listener);
  useEffect(
    () => outboxDelivery.onAcknowledged((outgoing, response) => onAcknowledged(outgoing, response)),
    [],
  );
}
