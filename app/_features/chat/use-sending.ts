"use client";

import { useEffect, useEffectEvent, useState } from "react";
import type { AnswerStatus, EntryWire } from "@/lib/chat/wire/messages";
import { appendToDraft, draftOf, newChat, writeDraft } from "./draft-store";
import { type MessageQueue, type QueueEvent, useMessageQueue } from "./message-queue";
import { changeOutbox, type NewOutgoing, newOutgoing, type Outbox, type Outgoing } from "./outbox";
import { outboxDelivery, useAcknowledged, useOutgoing } from "./outbox-delivery";
import { indexAfter, withRun, withStored } from "./transcript-window";
import type { PathMovesOptions } from "./use-path-moves";

export interface Sending {
  readonly outgoing: Outbox;
  readonly queue: MessageQueue;
  readonly changeQueue: (event: QueueEvent) => void;
  /** Sends although the previous answer did not complete. */
  readonly sendNextQueued: () => void;
  readonly isWriting: boolean;
  readonly isHeldUp: boolean;
  /** `null` for the default. */
  readonly firstModel: string | null;
  readonly chooseFirstModel: (model: string | null) => void;
  /** Sends at the end of the path, or queues during an answer. */
  readonly send: (text: string) => void;
  /** Answered only with `generate`. */
  readonly edit: (entry: EntryWire, text: string, options: { generate: boolean }) => void;
  readonly retrySending: (id: string) => void;
  readonly takeBack: (outgoing: Outgoing) => void;
}

export interface SendingOptions extends PathMovesOptions {
  readonly isAnswering: boolean;
  readonly isNew: boolean;
}

export function useSending(options: SendingOptions): Sending {
  const { sessionId, transcript, isAnswering, isNew } = options;
  const outgoing = useOutgoing(sessionId);
  const [firstModel, chooseFirstModel] = useState<string | null>(null);
  const [queue, changeQueue] = useMessageQueue(sessionId);
  const { window, status } = transcript;
  const isSending = outgoing.some((item) => item.state.kind === "pending" && item.generate);
  const isWriting = isAnswering || isSending;
  const isHeldUp = outgoing.some(({ state }) => state.kind === "pending" && state.attempts > 1);

  function write(message: Omit<NewOutgoing, "sessionId">): void {
    changeOutbox({ type: "written", outgoing: newOutgoing({ ...message, sessionId }) });
  }

  function placeAtEnd(): Omit<NewOutgoing, "sessionId" | "text"> {
    if (isNew) return { newSession: true, ...(firstModel && { model: firstModel }) };
    return window.leafId === null ? { parentId: null } : { expectedLeaf: window.leafId };
  }

  function writeAtEnd(text: string, ids?: NewOutgoing["ids"]): void {
    write({ text, ...placeAtEnd(), ...(ids && { ids }) });
  }

  function sendNextQueued(): void {
    const [next] = queue;
    if (!next || isWriting || isNew) return;
    writeAtEnd(next.text, { id: next.id, answerId: next.answerId });
    changeQueue({ type: "removed", id: next.id });
  }

  const onRest = useEffectEvent(() => {
    if (!endedEarly(window.entries)) sendNextQueued();
  });
  useEffect(() => {
    if (!isWriting && status === "ready") onRest();
  }, [isWriting, status]);

  useShowAcknowledged(options);

  return {
    outgoing,
    queue,
    changeQueue,
    sendNextQueued,
    isWriting,
    isHeldUp,
    firstModel,
    chooseFirstModel,
    send(text) {
      if (!isWriting && !(isNew && outgoing.length > 0)) return writeAtEnd(text);
      const ids = { id: crypto.randomUUID(), answerId: crypto.randomUUID() };
      changeQueue({ type: "added", message: { ...ids, text } });
    },
    edit: (entry, text, { generate }) => write({ text, parentId: entry.parentId, generate }),
    retrySending: (id) => changeOutbox({ type: "retried", id }),
    takeBack({ id, newSession }) {
      if (newSession) moveToNewChat(sessionId, { queue, changeQueue });
      outboxDelivery.discard(id);
    },
  };
}

/** Adds a stored message and its run to the path they continue. */
function useShowAcknowledged({ sessionId, transcript, url }: PathMovesOptions): void {
  useAcknowledged((sent, { entry, run }) => {
    if (sent.sessionId !== sessionId) return;
    const path = { under: entry.message.id };
    const from = transcript.current().leafId;
    if (indexAfter(transcript.window, entry.parentId) === null) {
      void transcript.open(path).catch(() => transcript.begin(path));
      return;
    }
    transcript.change((shown) => {
      const stored = withStored(shown, entry);
      return run ? withRun(stored, run) : stored;
    }, path);
    if (from !== entry.parentId) url.pushLeaf(entry.message.id, from);
    // The URL follows when it names a leaf; otherwise the session opens at its newest leaf anyway.
    else if (location.search !== "") url.replaceLeaf(entry.message.id);
  });
}

function moveToNewChat(
  sessionId: string,
  { queue, changeQueue }: Pick<Sending, "queue" | "changeQueue">,
): void {
  for (const { id, text } of queue) {
    appendToDraft(newChat, text);
    changeQueue({ type: "removed", id });
  }
  const draft = draftOf(sessionId).read();
  if (draft.trim() !== "") appendToDraft(newChat, draft);
  writeDraft(sessionId, "");
}

/** After a failed or stopped answer, queued messages wait for the person. */
function endedEarly(entries: readonly EntryWire[]): boolean {
  const status: AnswerStatus | undefined = entries.at(-1)?.message.metadata?.status;
  return status === "failed" || status === "interrupted" || status === "stopped";
}
