"use client";

import { useEffect, useEffectEvent, useState } from "react";
import { takeBackQuestion } from "@/app/_data/chat/draft-store";
import { useChangeSession } from "@/app/_data/sessions/use-session-mutations";
import type { TranscriptActions } from "@/app/_message/chat-session-context";
import { useReadsOnly } from "@/app/_ui/reads-only";
import type { EntryWire } from "@/lib/chat/wire/messages";
import { type LeftBranch, nextLeftBranch } from "./left-branch-line";
import {
  cutAfter,
  emptyWindow,
  indexAfter,
  type LoadedTranscript,
  withoutMessages,
  withStored,
} from "./transcript-window";
import { type SessionLink, type SessionUrl, useFollowedLink } from "./use-session-url";
import type { Transcript } from "./use-transcript";

export interface Landing {
  readonly messageId: string;
}

export interface PathMoves extends Pick<TranscriptActions, "switchTo" | "goOnWith"> {
  readonly landing: Landing | null;
  readonly continueAfter: (messageId: string | null) => Promise<void>;
  readonly openThrough: (messageId: string) => Promise<void>;
  readonly openSummary: (toMessageId: string) => Promise<void>;
  readonly jumpToLatest: () => Promise<void>;
  readonly left: LeftBranch | null;
  readonly dismissLeft: () => void;
  readonly goBack: () => Promise<void>;
  readonly showStored: (entry: EntryWire) => void;
  readonly forget: (messageIds: readonly string[]) => void;
}

export interface PathMovesOptions {
  readonly sessionId: string;
  readonly transcript: Transcript;
  readonly url: SessionUrl;
}

export function usePathMoves({ sessionId, transcript, url }: PathMovesOptions): PathMoves {
  const { mutate: changeSession } = useChangeSession();
  // A reader's branch is of the page alone.
  const readsOnly = useReadsOnly();
  const [landing, setLanding] = useState<Landing | null>(null);
  const [left, setLeft] = useState<LeftBranch | null>(null);
  const { window } = transcript;

  function noteLeft(shown: LoadedTranscript): void {
    setLeft((before) => nextLeftBranch(before, { from: window, to: shown }));
  }

  function endLeft(): void {
    takeBackQuestion(sessionId);
    setLeft(null);
  }

  async function follow(link: SessionLink): Promise<void> {
    if (left?.to === window.leafId && link.leaf === left.from) endLeft();
    try {
      await openLink(transcript, link);
      if (link.hit !== null) setLanding({ messageId: link.hit });
    } catch {
      // The link's target may have been deleted; the session then opens at its active leaf.
      transcript.begin({});
    }
  }
  useFollowedLink(url, { sessionId, onFollow: (link) => void follow(link) });
  const hitAtStart = url.start.hit;
  const land = useEffectEvent(() => void follow(url.start));
  useEffect(() => {
    if (hitAtStart !== null) land();
  }, [hitAtStart]);

  function remember(leafId: string | null): void {
    url.pushLeaf(leafId, window.leafId);
    if (leafId !== null && !readsOnly) changeSession({ id: sessionId, activeLeafId: leafId });
  }

  return {
    landing,
    left: left?.to === window.leafId ? left : null,
    dismissLeft: () => setLeft((before) => before && { ...before, isDismissed: true }),
    async goBack() {
      if (!left) return;
      const shown = await transcript.open({ leaf: left.from });
      endLeft();
      remember(shown.leafId);
    },
    showStored(entry) {
      const path = { leaf: entry.message.id };
      if (indexAfter(window, entry.parentId) === null) transcript.begin(path);
      else transcript.change((shown) => withStored(shown, entry), path);
      if (window.leafId === entry.parentId) url.replaceLeaf(entry.message.id);
      else url.pushLeaf(entry.message.id, window.leafId);
    },
    async switchTo(siblingId, parentId) {
      const shown = await transcript.openSibling(siblingId, parentId);
      noteLeft(shown);
      remember(shown.leafId);
    },
    async goOnWith(answerId, questionId) {
      const shown = await transcript.openSibling(answerId, questionId);
      remember(shown.leafId);
    },
    async continueAfter(messageId) {
      noteLeft(await endAt(transcript, messageId));
      remember(messageId);
    },
    async openThrough(messageId) {
      const shown = await transcript.openAround(messageId);
      noteLeft(shown);
      remember(shown.leafId);
      setLanding({ messageId });
    },
    async openSummary(toMessageId) {
      const shown = await openSummary(transcript, toMessageId);
      remember(shown.leafId);
      setLanding({ messageId: toMessageId });
    },
    async jumpToLatest() {
      if (window.leafId !== null) await transcript.open({ under: window.leafId });
    },
    forget(messageIds) {
      const shown = transcript.change((before) => withoutMessages(before, messageIds));
      if (shown.leafId !== null) url.replaceLeaf(null);
    },
  };
}

function openLink(transcript: Transcript, { leaf, hit, inSummary }: SessionLink) {
  if (hit === null) return transcript.open(leaf === null ? {} : { leaf });
  return inSummary ? openSummary(transcript, hit) : transcript.openAround(hit);
}

async function openSummary(transcript: Transcript, toMessageId: string): Promise<LoadedTranscript> {
  const shown = await transcript.open({ under: toMessageId });
  // A later summary may have replaced it on the path; its originals still exist.
  const isShown = shown.entries.some(({ compaction }) => compaction?.toMessageId === toMessageId);
  return isShown ? shown : transcript.openAround(toMessageId);
}

async function endAt(transcript: Transcript, messageId: string | null): Promise<LoadedTranscript> {
  if (messageId === null) {
    transcript.showStart();
    return emptyWindow;
  }
  const path = { leaf: messageId };
  if (indexAfter(transcript.window, messageId) === null) return transcript.open(path);
  return transcript.change((shown) => cutAfter(shown, messageId), path);
}
