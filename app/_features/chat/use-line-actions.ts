"use client";

import { useRouter } from "next/navigation";
import { useLayoutEffect, useMemo, useRef, useState } from "react";
import { api } from "@/app/_api/api";
import { toastError, toastRetry } from "@/app/_api/toast-error";
import { askAgain } from "@/app/_data/assistants/asked-assistant";
import { appendToDraft, newChat } from "@/app/_data/chat/draft-store";
import {
  useBookmark,
  useDeleteMessages,
  useRestoreMessages,
  useSendInFull,
} from "@/app/_data/chat/use-messages";
import { compareAddress } from "@/app/_data/compare/use-compare";
import { attachStored } from "@/app/_data/files/attachments";
import { togetherModels } from "@/app/_data/models/use-models";
import { focusComposer } from "@/app/_data/page/focus-composer";
import { useChangeSession } from "@/app/_data/sessions/use-session-mutations";
import type { Bookmarkable, TranscriptActions } from "@/app/_message/chat-session-context";
import { toastUndo } from "@/app/_ui/toast";
import type { EntryWire } from "@/lib/chat/wire/messages";
import { type OpenedPreview, openedPreview } from "./answer-code";
import { hintAtNewVersion } from "./branch-hints";
import { refusesEditor } from "./open-editors";
import { readPage } from "./transcript-pages";
import { withSentInFull } from "./transcript-window";
import type { ChatSession } from "./use-chat-session";

export interface LineActionsOptions {
  readonly session: ChatSession;
  readonly setDialog: (dialog: SessionDialog) => void;
  readonly setEditingId: (messageId: string | null) => void;
  readonly setPreview: (opened: OpenedPreview) => void;
  readonly announce: (text: string) => void;
}

export function useLineActions(parts: LineActionsOptions): TranscriptActions {
  const { session, setDialog, setEditingId, setPreview, announce } = parts;
  const { sessionId } = session;
  const compareWith = useComparison(session);
  const bookmarking = useBookmarking(session);
  const sendInFull = useSendingInFull(session);
  const keptAnswer = useKeptAnswer(session);
  const withoutParameters = useParameterRemoval(sessionId);
  const remove = useMessageRemoval({ sessionId, onRemoved: session.forget });
  const methods = useStable<Omit<TranscriptActions, "sessionId">>({
    compareWith,
    ...bookmarking,
    sendInFull,
    withoutParameters,
    remove,
    ...askingMethods(session),
    ...keptAnswer,
    ...dialogMethods(session, setDialog),
    ...draftMethods(session),
    switchTo: session.switchTo,
    settle: session.settle,
    retrySending: session.retrySending,
    takeBack: session.takeBack,
    announce,
    refresh: () => void session.transcript.refresh(),
    startEditing: (messageId) => refusesEditor(messageId) || setEditingId(messageId),
    openPreview: (...preview) => setPreview(openedPreview(...preview)),
    showEdited(entry) {
      const { entries } = session.transcript.current();
      const question = entries.find(({ message }) => message.id === entry.parentId);
      session.showStored(entry);
      // The question still names the answers of several models.
      if (question?.message.metadata?.together) void session.transcript.refresh();
      announce("Saved as a new version");
      keepFocus();
    },
    showMessage: (messageId) => void session.openThrough(messageId).catch(toastError),
  });
  return useMemo(() => ({ sessionId, ...methods }), [sessionId, methods]);
}

function useComparison({ sessionId, transcript }: ChatSession): TranscriptActions["compareWith"] {
  const router = useRouter();
  return (siblingId, order) => {
    const { leafId } = transcript.window;
    if (leafId === null) return;
    readPage(sessionId, { under: siblingId }, { limit: 1 }).then((page) => {
      const other = page.leafId ?? siblingId;
      const [left, right] = order === "before" ? [other, leafId] : [leafId, other];
      router.push(compareAddress(sessionId, left, right));
    }, toastError);
  };
}

function useBookmarking(
  session: ChatSession,
): Pick<TranscriptActions, "setBookmark" | "toggleBookmark"> {
  const { mutateAsync } = useBookmark(session.sessionId);
  const setBookmark: TranscriptActions["setBookmark"] = async ({ id, ...before }, next) => {
    session.showMarks(id, next);
    const isNamed = next.pinned && next.label !== before.label;
    const change = isNamed ? { id, label: next.label } : { id, pinned: next.pinned };
    await mutateAsync(change).catch((error: unknown) => {
      session.showMarks(id, before);
      throw error;
    });
  };
  async function toggleBookmark(message: Bookmarkable) {
    const isRemoval = message.pinned;
    const next = { pinned: !isRemoval, label: null };
    await setBookmark(message, next);
    if (!isRemoval) return;
    const { id, ...before } = message;
    toastUndo("Bookmark removed.", () => {
      setBookmark({ id, ...next }, before).catch(toastError);
    });
  }
  return {
    setBookmark,
    toggleBookmark: (message) => void toggleBookmark(message).catch(toastError),
  };
}

function useSendingInFull(session: ChatSession): TranscriptActions["sendInFull"] {
  const sendingInFull = useSendInFull(session.sessionId);
  return (output, value) => {
    const { messageId, toolCallId } = output;
    const show = (isSentInFull: boolean) =>
      session.transcript.change((shown) => withSentInFull(shown, output, isSentInFull));
    show(value);
    sendingInFull.mutate(
      { messageId, toolCallId, value },
      {
        onError: (error) => {
          show(!value);
          toastError(error);
        },
      },
    );
  };
}

function useParameterRemoval(sessionId: string): TranscriptActions["withoutParameters"] {
  const changing = useChangeSession();
  return async (names) => {
    const params = { sessionId };
    const { session: known } = await api("GET /api/sessions/:sessionId", { params });
    const kept = Object.entries(known.parameters).filter(([name]) => !isIn(names, name));
    await changing.mutateAsync({ id: sessionId, parameters: Object.fromEntries(kept) });
  };
}

function askingMethods(session: ChatSession): Pick<TranscriptActions, "answer" | "edit"> {
  const { sessionId, transcript } = session;
  return {
    async answer(parentId, model, options) {
      keepFocus();
      const before = transcript.current();
      const isVersion = !options && before.entries.some((each) => each.parentId === parentId);
      await session.answer(parentId, model, options);
      if (isVersion) hintAtNewVersion(sessionId, { isAnswer: true, before });
    },
    edit(entry, edited) {
      const before = transcript.current();
      session.edit(entry, edited);
      hintAtNewVersion(sessionId, { isAnswer: false, before });
      keepFocus();
    },
  };
}

function useKeptAnswer(
  session: ChatSession,
): Pick<TranscriptActions, "keep" | "keptOf" | "goOnWith"> {
  const { sessionId, transcript } = session;
  const { mutate: changeSession } = useChangeSession();
  return {
    goOnWith: session.goOnWith,
    async keep(questionId, answerId, model) {
      await api("PATCH /api/sessions/:sessionId/messages/:messageId", {
        params: { sessionId, messageId: questionId },
        body: { kept: answerId },
      });
      if (answerId !== null) {
        togetherModels(sessionId).update(() => []);
        if (model !== undefined) changeSession({ id: sessionId, model });
        await session.goOnWith(answerId, questionId);
      }
      await transcript.refresh();
    },
    keptOf(questionId) {
      const { entries } = transcript.current();
      const question = entries.find(({ message }) => message.id === questionId);
      return question?.message.metadata?.kept ?? null;
    },
  };
}

type DialogMethod = "fork" | "showReceipt" | "nameBookmark" | "hasLeftBranch" | "carryOver";

function dialogMethods(
  { left }: ChatSession,
  setDialog: LineActionsOptions["setDialog"],
): Pick<TranscriptActions, DialogMethod> {
  return {
    fork: ({ message }) => setDialog({ kind: "fork", messageId: message.id }),
    showReceipt: (messageId) => setDialog({ kind: "receipt", messageId }),
    nameBookmark: (message) => setDialog({ kind: "bookmark", message }),
    hasLeftBranch: () => left !== null,
    carryOver() {
      if (left) setDialog({ kind: "note", from: left.from, to: left.to });
    },
  };
}

function draftMethods(
  session: ChatSession,
): Pick<TranscriptActions, "continueHere" | "editUnsent"> {
  const { sessionId } = session;
  return {
    continueHere({ message }) {
      session.continueAfter(message.id).then(focusComposer, toastError);
    },
    editUnsent(id) {
      const unsent = session.outgoing.find((outgoing) => outgoing.id === id);
      if (!unsent) return;
      const draftKey = unsent.newSession ? newChat : sessionId;
      appendToDraft(draftKey, unsent.text);
      attachStored(draftKey, unsent.files ?? []);
      askAgain(draftKey, unsent.assistant);
      session.takeBack(unsent);
    },
  };
}

function isIn(names: readonly string[], name: string): boolean {
  return names.includes(name);
}

/** The pressed button is about to go. A phone's keyboard stays closed. */
function keepFocus(): void {
  if (!matchMedia("(pointer: fine)").matches) return;
  setTimeout(() => {
    if (document.activeElement === document.body) focusComposer();
  }, focusLostWithinMs);
}

const focusLostWithinMs = 150;

type ActionMethod = (...parameters: never[]) => unknown;

function useStable<Methods extends { readonly [Name in keyof Methods]: ActionMethod }>(
  methods: Methods,
): Methods {
  const latest = useRef(methods);
  useLayoutEffect(() => {
    latest.current = methods;
  });
  const [stable] = useState(() => {
    const names = Object.keys(methods) as (keyof Methods)[];
    const entries = names.map((name) => [
      name,
      (...parameters: never[]) => latest.current[name](...parameters),
    ]);
    return Object.fromEntries(entries) as Methods;
  });
  return stable;
}

interface MessageRemovalOptions {
  readonly sessionId: string;
  readonly onRemoved: (messageIds: readonly string[]) => void;
}

function useMessageRemoval({ sessionId, onRemoved }: MessageRemovalOptions) {
  const deletion = useDeleteMessages(sessionId);
  const restoring = useRestoreMessages(sessionId);

  function restore(deletionId: string) {
    restoring.mutate(deletionId, {
      onError: (error) => toastRetry(error, () => restore(deletionId)),
    });
  }

  return function remove(entry: EntryWire, deletionId: string = crypto.randomUUID()) {
    deletion.mutate(
      { ids: [entry.message.id], deletionId },
      {
        onSuccess: ({ deletionId, messageIds }) => {
          onRemoved(messageIds);
          toastUndo("Message deleted.", () => restore(deletionId));
        },
        onError: (error) => toastRetry(error, () => remove(entry, deletionId)),
      },
    );
  };
}

export type SessionDialog =
  | { readonly kind: "fork"; readonly messageId: string }
  | { readonly kind: "receipt"; readonly messageId: string }
  | { readonly kind: "bookmark"; readonly message: Bookmarkable }
  | {
      readonly kind: "note";
      readonly from: string;
      readonly to: string | null;
      readonly question?: string;
    }
  | { readonly kind: "compact"; readonly focus: string }
  | { readonly kind: "print" };
