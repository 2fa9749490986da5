"use client";

import { useEffect, useEffectEvent } from "react";
import { askAgain, takeAsked } from "@/app/_data/assistants/asked-assistant";
import { choiceOf, useAssistants } from "@/app/_data/assistants/use-assistants";
import { appendToDraft, draftOf, newChat, writeDraft } from "@/app/_data/chat/draft-store";
import {
  changeOutbox,
  type NewOutgoing,
  newOutgoing,
  newQueued,
  type QueuedMessage,
} from "@/app/_data/chat/outbox";
import {
  deliverNow,
  outboxDelivery,
  type UnsentOfChat,
  useAcknowledged,
  useUnsent,
} from "@/app/_data/chat/outbox-delivery";
import { readSoon } from "@/app/_data/chat/run-reading";
import { attachStored, moveAttachments, takeAttached } from "@/app/_data/files/attachments";
import { moveTogether, togetherModels, useModels } from "@/app/_data/models/use-models";
import { useProject } from "@/app/_data/projects/use-projects";
import type { TranscriptActions } from "@/app/_message/chat-session-context";
import { createStore, createStores, useStore } from "@/app/_ui/store";
import type { AssistantRef } from "@/lib/chat/wire/assistants";
import type { ChatParameters } from "@/lib/chat/wire/request-fields";
import { isTemporaryId, keptIdOf } from "@/lib/chat/wire/temporary-id";
import { endBranchHint } from "./branch-hints";
import { nextToSend } from "./queued-messages";
import { indexAfter, type LoadedTranscript, withRun, withStored } from "./transcript-window";
import type { PathMovesOptions } from "./use-path-moves";

export interface FirstChoice {
  readonly model: string | null;
  readonly parameters: ChatParameters;
  /** `undefined`: that of the project. */
  readonly assistant: AssistantRef | null | undefined;
}

const noChoice: FirstChoice = { model: null, parameters: {}, assistant: undefined };

const firstChoiceOf = createStores(() => createStore(noChoice));

export interface Sending
  extends UnsentOfChat,
    Pick<TranscriptActions, "edit" | "retrySending" | "takeBack"> {
  readonly removeQueued: (message: QueuedMessage) => void;
  readonly sendQueued: (message: QueuedMessage) => void;
  readonly awaitedId: string | null;
  readonly isWriting: boolean;
  readonly isHeldUp: boolean;
  readonly first: FirstChoice;
  readonly chooseFirst: (first: FirstChoice) => void;
  readonly send: (text: string) => void;
}

export interface SendingOptions extends PathMovesOptions {
  readonly answeringId: string | null;
  readonly isNew: boolean;
}

export function useSending(options: SendingOptions): Sending {
  const { sessionId, transcript, answeringId, isNew } = options;
  const { outgoing, queue } = useUnsent(sessionId);
  const firstChoice = firstChoiceOf(isTemporaryId(sessionId) ? keptIdOf(sessionId) : sessionId);
  const first = useFirstChoice(isNew, useStore(firstChoice));
  const { window, status } = transcript;
  const sending = outgoing.findLast(({ state, generate }) => state.kind === "pending" && generate);
  const awaitedId = sending?.answerId ?? answeringId;
  const isWriting = awaitedId !== null;
  const isHeldUp = outgoing.some(({ state }) => state.kind === "pending" && state.attempts > 1);
  const isFirst = isNew && outgoing.length === 0;

  function writeAtEnd(message: Pick<NewOutgoing, "text" | "files" | "ids" | "assistant">): void {
    const together = isFirst ? moveTogether(newChat, sessionId) : togetherModels(sessionId).read();
    const place = isNew ? placeInNewSession(first) : placeAtEnd(window);
    const others = message.assistant ? [] : together;
    writeToOutbox({ ...message, ...place, sessionId, together: others });
  }

  function sendQueued({ id, answerId, text, files, assistant }: QueuedMessage): void {
    if (isWriting || isNew) return;
    writeAtEnd({
      ...{ text, ids: { id, answerId } },
      ...(files && { files }),
      ...(assistant && { assistant }),
    });
  }

  const isResting = !isWriting && !isNew && status === "ready";
  useSendInTurn(isResting ? nextToSend(queue, window) : null, sendQueued);
  useShowAcknowledged(options);

  return {
    outgoing,
    queue,
    removeQueued: ({ id }) => changeOutbox({ type: "discarded", id }),
    sendQueued,
    awaitedId,
    isWriting,
    isHeldUp,
    first,
    chooseFirst: (next) => firstChoice.update(() => next),
    send(text) {
      endBranchHint();
      // A first message that was refused must be stored before others.
      const after = awaitedId ?? (isNew ? outgoing.at(-1)?.answerId : undefined);
      const draftKey = isFirst ? newChat : sessionId;
      const [files, assistant] = [takeAttached(draftKey), takeAsked(draftKey)];
      const message = {
        text,
        ...(files.length > 0 && { files }),
        ...(assistant && { assistant }),
      };
      if (after === undefined) return writeAtEnd(message);
      changeOutbox({ type: "queued", message: newQueued({ ...message, sessionId, after }) });
    },
    edit(entry, edited) {
      const named = entry.message.metadata?.assistant;
      const assistant = named?.space === undefined ? named : undefined;
      const place = { sessionId, parentId: entry.parentId };
      writeToOutbox({ ...edited, ...place, ...(assistant && { assistant }) });
    },
    retrySending: (id) => changeOutbox({ type: "retried", id }),
    takeBack({ id, newSession }) {
      if (newSession) moveToNewChat(sessionId, queue);
      outboxDelivery.discard(id);
    },
  };
}

/** A new chat is sent with what its page shows, so that a later change of the project does not reach it unseen. */
function useFirstChoice(isNew: boolean, chosen: FirstChoice): FirstChoice {
  const key = useProject()?.defaultAssistant ?? null;
  const isOpen = isNew && key !== null && chosen.assistant === undefined;
  const { data } = useAssistants({ isWanted: isOpen });
  const models = useModels();
  if (!isOpen || !data) return chosen;
  const found = data.assistants.find((each) => each.key === key && !each.problem);
  if (!found) return { ...chosen, assistant: null };
  const { assistant, model = null, parameters } = choiceOf(found, models.data).choice;
  return {
    assistant,
    model: chosen.model ?? model,
    parameters: { ...parameters, ...chosen.parameters },
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

function placeInNewSession({ model, parameters, assistant }: FirstChoice): OutgoingPlace {
  return {
    newSession: true,
    parameters,
    ...(model && { model }),
    ...(assistant !== undefined && { firstAssistant: assistant }),
  };
}

function placeAtEnd({ leafId }: LoadedTranscript): OutgoingPlace {
  return leafId === null ? { parentId: null } : { expectedLeaf: leafId };
}

function useShowAcknowledged({ sessionId, transcript, url }: PathMovesOptions): void {
  useAcknowledged((sent, { entry, run, others = [] }) => {
    if (sent.sessionId !== sessionId) return;
    const runs = run ? [run, ...others] : others;
    for (const each of runs) readSoon(each);
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

function moveToNewChat(sessionId: string, queue: readonly QueuedMessage[]): void {
  for (const { id, text, files = [], assistant } of queue) {
    appendToDraft(newChat, text);
    askAgain(newChat, assistant);
    attachStored(newChat, files);
    changeOutbox({ type: "discarded", id });
  }
  const draft = draftOf(sessionId).read();
  if (draft.trim() !== "") appendToDraft(newChat, draft);
  askAgain(newChat, takeAsked(sessionId) ?? undefined);
  moveTogether(sessionId, newChat);
  moveAttachments(sessionId, newChat);
  writeDraft(sessionId, "");
}
