"use client";

import { useEffect, useEffectEvent } from "react";
import type { AnswerStatus, EntryWire } from "@/lib/chat/wire/messages";
import type { MessageQueue, QueueEvent } from "./message-queue";
import { type NewOutgoing, newOutgoing } from "./new-outgoing";
import type { Outbox, Outgoing } from "./outbox";
import { outboxDelivery } from "./outbox-delivery";
import { outboxStore } from "./outbox-store";
import { indexAfter, withRun, withStored } from "./transcript-window";
import { useMessageQueue } from "./use-message-queue";
import { useAcknowledged, useOutgoing } from "./use-outbox";
import type { PathMovesOptions } from "./use-path-moves";

export interface Sending {
  /** Messages of this session that the server has not acknowledged. */
  readonly outgoing: Outbox;
  readonly queue: MessageQueue;
  readonly changeQueue: (event: QueueEvent) => void;
  /** Sends the first message that waits, although the answer before it did not reach its end. */
  readonly sendNextQueued: () => void;
  /** An answer is being written, or a message that will be answered is on its way. */
  readonly isWriting: boolean;
  /** A message is written that cannot reach the server now. */
  readonly isHeldUp: boolean;
  /** Sends at the end of the path, or queues while an answer is being written. */
  readonly send: (text: string) => void;
  /** Stores another version of a question; only with `generate` it is answered. */
  readonly edit: (entry: EntryWire, text: string, options: { generate: boolean }) => void;
  readonly retrySending: (id: string) => void;
  readonly takeBack: (outgoing: Outgoing) => void;
}

export interface SendingOptions extends PathMovesOptions {
  readonly isAnswering: boolean;
}

/** What the person sends in a session, from the composer to the server's acknowledgement. */
export function useSending({ sessionId, transcript, url, isAnswering }: SendingOptions): Sending {
  const outgoing = useOutgoing(sessionId);
  const [queue, changeQueue] = useMessageQueue(sessionId);
  const { window, status } = transcript;
  const isSending = outgoing.some((item) => item.state.kind === "pending" && item.generate);
  const isWriting = isAnswering || isSending;
  const isHeldUp = outgoing.some(({ state }) => state.kind === "pending" && state.attempts > 1);

  function write(message: Omit<NewOutgoing, "sessionId">): void {
    outboxStore.dispatch({ type: "written", outgoing: newOutgoing({ ...message, sessionId }) });
  }

  function writeAtEnd(text: string, ids?: NewOutgoing["ids"]): void {
    const { leafId } = window;
    const place = leafId === null ? { parentId: null } : { expectedLeaf: leafId };
    write({ text, ...place, ...(ids && { ids }) });
  }

  function sendNextQueued(): void {
    const [next] = queue;
    if (!next || isWriting) return;
    writeAtEnd(next.text, { id: next.id, answerId: next.answerId });
    changeQueue({ type: "removed", id: next.id });
  }

  const onRest = useEffectEvent(() => {
    if (!endedEarly(window.entries)) sendNextQueued();
  });
  useEffect(() => {
    if (!isWriting && status === "ready") onRest();
  }, [isWriting, status]);

  useAcknowledged((sent, { entry, run }) => {
    if (sent.sessionId !== sessionId) return;
    const path = { under: entry.message.id };
    if (indexAfter(window, entry.parentId) === null) {
      void transcript.open(path).catch(() => transcript.begin(path));
      return;
    }
    transcript.change((shown) => {
      const stored = withStored(shown, entry);
      return run ? withRun(stored, run) : stored;
    }, path);
    // The address follows when it named a leaf; without one, the session opens at its newest leaf anyway.
    if (location.search !== "") url.write(entry.message.id, "replace");
  });

  return {
    outgoing,
    queue,
    changeQueue,
    sendNextQueued,
    isWriting,
    isHeldUp,
    send(text) {
      if (!isWriting) return writeAtEnd(text);
      const ids = { id: crypto.randomUUID(), answerId: crypto.randomUUID() };
      changeQueue({ type: "added", message: { ...ids, text } });
    },
    edit: (entry, text, { generate }) => write({ text, parentId: entry.parentId, generate }),
    retrySending: (id) => outboxStore.dispatch({ type: "retried", id }),
    takeBack: ({ id }) => outboxDelivery.discard(id),
  };
}

/** After an answer that failed, or that the person stopped, what waits is sent by the person, not by itself. */
function endedEarly(entries: readonly EntryWire[]): boolean {
  const status: AnswerStatus | undefined = entries.at(-1)?.message.metadata?.status;
  return status === "failed" || status === "interrupted" || status === "stopped";
}
