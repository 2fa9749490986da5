"use client";

import { useState } from "react";
import { useAcknowledged, useOutgoing } from "@/app/_data/chat/outbox-delivery";
import {
  chooseTemporary,
  newChatTakesMemory,
  newTemporaryChat,
} from "@/app/_data/page/shell-store";
import { sessionAddress } from "@/app/_data/search/search-addresses";
import { useChangeSession } from "@/app/_data/sessions/use-session-mutations";
import { useOpenSessionId } from "@/app/_data/sessions/use-sessions";
import { useStore } from "@/app/_ui/store";
import { isTemporaryId, keptIdOf, temporaryIdOf } from "@/lib/chat/wire/temporary-id";
import { SessionPage } from "./session-page";

/** The page stays mounted when its first message is stored, so nothing moves. */
export function NewChatPage() {
  const openId = useOpenSessionId();
  const { mutate: changeSession } = useChangeSession();
  const beginning = useOutgoing().findLast(({ newSession }) => newSession);
  const [storedId, setStoredId] = useState<string | null>(null);
  const [begunId, setBegunId] = useState<string | null>(null);
  const [nextId, setNextId] = useState(newId);
  const isTemporary = useStore(newTemporaryChat);
  const withMemory = useStore(newChatTakesMemory);
  const newSessionId = isTemporary ? temporaryIdOf(nextId, { withMemory }) : nextId;
  const sessionId = openId ?? storedId ?? beginning?.sessionId ?? newSessionId;

  if (beginning && withoutPrefix(beginning.sessionId) === nextId) setNextId(newId());
  // Another tab may take it from the outbox before this one gets its answer.
  if (beginning && beginning.sessionId !== begunId) setBegunId(beginning.sessionId);
  // The router changes the URL in a transition, shortly after the message has left the outbox.
  if (storedId !== null && storedId === openId) setStoredId(null);

  useAcknowledged((sent) => {
    if (!sent.newSession || ![sessionId, begunId].includes(sent.sessionId) || openId !== null)
      return;
    if (sent.model) changeSession({ id: sent.sessionId, model: sent.model });
    setStoredId(sent.sessionId);
    chooseTemporary(false);
    history.pushState(null, "", sessionAddress(sent.sessionId));
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

function withoutPrefix(sessionId: string): string {
  return isTemporaryId(sessionId) ? keptIdOf(sessionId) : sessionId;
}

function newId(): string {
  return crypto.randomUUID();
}
