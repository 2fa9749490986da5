"use client";

import { useEffect, useEffectEvent } from "react";
import { appendToDraft, draftOf, newChat, writeDraft } from "@/app/_data/chat/draft-store";
import { changeOutbox, type NewOutgoing, newOutgoing, type Outbox } from "@/app/_data/chat/outbox";
import {
  deliverNow,
  outboxDelivery,
  useAcknowledged,
  useOutgoing,
} from "@/app/_data/chat/outbox-delivery";
import { readSoon } from "@/app/_data/chat/run-reading";
import { attachStored, moveAttachments, takeAttached } from "@/app/_data/files/attachments";
import { togetherModels } from "@/app/_data/models/together-models";
import type { TranscriptActions } from "@/app/_message/chat-session-context";
import { createStore, createStores, useStore } from "@/app/_ui/store";
import type { ModelParameters } from "@/lib/chat/wire/request-fields";
import { isTemporaryId, keptIdOf } from "@/lib/chat/wire/temporary-id";
import {
  type MessageQueue,
  nextToSend,
  type QueuedMessage,
  type QueueEvent,
  useMessageQueue,
} from "./message-queue";
import { indexAfter, type TranscriptWindow, withRun, withStored } from "./transcript-window";
import type { PathMovesOptions } from "./use-path-moves";

interface FirstChoice {
  /** `null` for the default. */
  readonly model: string | null;
  readonly parameters: ModelParameters;
}

const noChoice: FirstChoice = { model: null, parameters: {} };

/** Of a new chat, which may be turned into a temporary one and back. */
const firstChoiceOf = createStores(() => createStore(noChoice));

export interface Sending extends Pick<TranscriptActions, "edit" | "retrySending" | "takeBack"> {
  readonly outgoing: Outbox;
  readonly queue: MessageQueue;
  readonly changeQueue: (event: QueueEvent) => void;
  /** Sends at the end of the path, on which the answer it waited for may be missing or incomplete. */
  readonly sendQueued: (message: QueuedMessage) => void;
  /** The answer that is asked for or written, also before its question is stored. */
  readonly awaitedId: string | null;
  readonly isWriting: boolean;
  readonly isHeldUp: boolean;
  /** `null` for the default. */
  readonly firstModel: string | null;
  readonly chooseFirstModel: (model: string | null) => void;
  readonly firstParameters: ModelParameters;
  readonly setFirstParameters: (parameters: ModelParameters) => void;
  /** Sends the text and the files of the draft at the end of the path, or queues them during an answer. */
  readonly send: (text: string) => void;
}

export interface SendingOptions extends PathMovesOptions {
  /** The id of the answer being written on the path; `null` while there is none. */
  readonly answeringId: string | null;
  readonly isNew: boolean;
}

export function useSending(options: SendingOptions): Sending {
  const { sessionId, transcript, answeringId, isNew } = options;
  const outgoing = useOutgoing(sessionId);
  const choice = useFirstChoice(sessionId);
  const [queue, changeQueue] = useMessageQueue(sessionId);
  const { window, status } = transcript;
  const sending = outgoing.findLast(({ state, generate }) => state.kind === "pending" && generate);
  const awaitedId = sending?.answerId ?? answeringId;
  const isWriting = awaitedId !== null;
  const isHeldUp = outgoing.some(({ state }) => state.kind === "pending" && state.attempts > 1);
  const isFirst = isNew && outgoing.length === 0;

  function writeAtEnd(message: Pick<NewOutgoing, "text" | "files" | "ids">): void {
    const together = isFirst ? takeTogether(sessionId) : togetherModels(sessionId).read();
    const place = isNew ? placeInNewSession(choice) : placeAtEnd(window);
    writeToOutbox({ ...message, ...place, sessionId, together });
  }

  function sendQueued({ id, answerId, text, files }: QueuedMessage): void {
    if (isWriting || isNew) return;
    writeAtEnd({ text, ...(files && { files }), ids: { id, answerId } });
    changeQueue({ type: "sent", id });
  }

  const isResting = !isWriting && !isNew && status === "ready";
  useSendInTurn(isResting ? nextToSend(queue, window) : null, sendQueued);
  useShowAcknowledged(options);

  return {
    outgoing,
    queue,
    changeQueue,
    sendQueued,
    awaitedId,
    isWriting,
    isHeldUp,
    ...choice,
    send(text) {
      // A first message that was refused must be stored before others.
      const after = awaitedId ?? (isNew ? outgoing.at(-1)?.answerId : undefined);
      const files = takeAttached(isFirst ? newChat : sessionId);
      const message = { text, ...(files.length > 0 && { files }) };
      if (after === undefined) return writeAtEnd(message);
      const ids = { id: crypto.randomUUID(), answerId: crypto.randomUUID() };
      changeQueue({ type: "added", message: { ...ids, ...message, after } });
    },
    edit: (entry, edited) => writeToOutbox({ ...edited, sessionId, parentId: entry.parentId }),
    retrySending: (id) => changeOutbox({ type: "retried", id }),
    takeBack({ id, newSession }) {
      if (newSession) moveToNewChat(sessionId, { queue, changeQueue });
      outboxDelivery.discard(id);
    },
  };
}

function useFirstChoice(
  sessionId: string,
): Pick<Sending, "firstModel" | "chooseFirstModel" | "firstParameters" | "setFirstParameters"> {
  const firstChoice = firstChoiceOf(isTemporaryId(sessionId) ? keptIdOf(sessionId) : sessionId);
  const { model: firstModel, parameters: firstParameters } = useStore(firstChoice);
  return {
    firstModel,
    chooseFirstModel: (model) => firstChoice.update((chosen) => ({ ...chosen, model })),
    firstParameters,
    setFirstParameters: (parameters) => firstChoice.update((chosen) => ({ ...chosen, parameters })),
  };
}

function useSendInTurn(next: QueuedMessage | null, send: (message: QueuedMessage) => void): void {
  const sendNext = useEffectEvent(() => {
    if (next) send(next);
  });
  const nextId = next?.id ?? null;
  useEffect(() => {
    if (nextId !== null) sendNext();
  }, [nextId]);
}

function writeToOutbox(message: NewOutgoing): void {
  changeOutbox({ type: "written", outgoing: newOutgoing(message) });
  deliverNow();
}

type OutgoingPlace = Omit<NewOutgoing, "sessionId" | "text" | "files">;

function placeInNewSession({
  firstModel,
  firstParameters: parameters,
}: Pick<Sending, "firstModel" | "firstParameters">): OutgoingPlace {
  return { newSession: true, parameters, ...(firstModel && { model: firstModel }) };
}

function placeAtEnd({ leafId }: TranscriptWindow): OutgoingPlace {
  return leafId === null ? { parentId: null } : { expectedLeaf: leafId };
}

function takeTogether(sessionId: string): readonly string[] {
  const together = togetherModels(newChat).read();
  if (together.length > 0) {
    togetherModels(sessionId).update(() => together);
    togetherModels(newChat).update(() => []);
  }
  return together;
}

/** Adds a stored message and its run to the path they continue. */
function useShowAcknowledged({ sessionId, transcript, url }: PathMovesOptions): void {
  useAcknowledged((sent, { entry, run, others = [] }) => {
    if (sent.sessionId !== sessionId) return;
    const runs = run ? [run, ...others] : others;
    for (const each of runs) readSoon(each);
    // The server chooses which of several answers the chat continues.
    const path = others.length === 0 ? { under: entry.message.id } : {};
    const from = transcript.current().leafId;
    // The page read it before its acknowledgement, perhaps with its answer.
    if (indexAfter(transcript.window, entry.message.id) !== null) {
      if (from === entry.message.id)
        transcript.change((shown) => runs.reduce(withRun, shown), path);
      return;
    }
    if (indexAfter(transcript.window, entry.parentId) === null) {
      void transcript.open(path).catch(() => transcript.begin(path));
      return;
    }
    transcript.change((shown) => {
      return runs.reduce(withRun, withStored(shown, entry));
    }, path);
    // A page opened at the question alone would lack its answer.
    const leaf = others.length > 0 ? null : (run?.messageId ?? entry.message.id);
    if (from !== entry.parentId) url.pushLeaf(leaf, from);
    // The URL follows when it names a leaf; otherwise the session opens at its newest leaf anyway.
    else if (location.search !== "") url.replaceLeaf(leaf);
  });
}

function moveToNewChat(
  sessionId: string,
  { queue, changeQueue }: Pick<Sending, "queue" | "changeQueue">,
): void {
  for (const { id, text, files = [] } of queue) {
    appendToDraft(newChat, text);
    attachStored(newChat, files);
    changeQueue({ type: "removed", id });
  }
  const draft = draftOf(sessionId).read();
  if (draft.trim() !== "") appendToDraft(newChat, draft);
  moveAttachments(sessionId, newChat);
  writeDraft(sessionId, "");
}
