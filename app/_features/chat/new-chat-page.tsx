"use client";

import { useState } from "react";
import { useChangeSession } from "@/app/_features/sessions/use-session-mutations";
import { useOpenSessionId } from "@/app/_features/sessions/use-sessions";
import { useAcknowledged, useOutbox } from "./outbox-delivery";
import { SessionPage } from "./session-page";

/** Once the first message is stored only the URL changes: the page stays mounted, so nothing moves. */
export function NewChatPage() {
  const openId = useOpenSessionId();
  const { mutate: changeSession } = useChangeSession();
  const beginning = useOutbox().findLast(({ newSession }) => newSession);
  const [storedId, setStoredId] = useState<string | null>(null);
  const [nextId, setNextId] = useState(newId);
  const sessionId = openId ?? storedId ?? beginning?.sessionId ?? nextId;

  if (beginning?.sessionId === nextId) setNextId(newId());
  // The router changes the URL in a transition, shortly after the message has left the outbox.
  if (storedId !== null && storedId === openId) setStoredId(null);

  useAcknowledged((sent) => {
    if (!sent.newSession || sent.sessionId !== sessionId || openId !== null) return;
    if (sent.model) changeSession({ id: sent.sessionId, model: sent.model });
    setStoredId(sent.sessionId);
    history.pushState(null, "", `/s/${encodeURIComponent(sent.sessionId)}`);
  });

  return (
    <SessionPage
      key={sessionId}
      sessionId={sessionId}
      page={null}
      isNew={openId === null && storedId === null}
    />
  );
}

function newId(): string {
  return crypto.randomUUID();
}
