"use client";

import { ChevronDown } from "lucide-react";
import Link from "next/link";
import { useEffect, useState } from "react";
import { errorSentence } from "@/app/_api/api-error";
import { Button } from "@/app/_ui/button";
import { Menu } from "@/app/_ui/menu";
import { ErrorNotice } from "@/app/_ui/notice";
import type { EntryWire } from "@/lib/chat/wire/messages";
import { useTranscriptActions } from "./chat-session-context";
import { suggestInDraft } from "./draft-store";
import { messageText } from "./message-text";
import { OtherModels, useOtherModels } from "./regenerate-buttons";

export function AnswerTrouble({ entry }: { entry: EntryWire }) {
  const { status, error } = entry.message.metadata ?? {};
  const asking = useAskAgain(entry);
  const waitSeconds = useSecondsUntil(Date.parse(entry.createdAt) + (error?.retryAfterMs ?? 0));
  if (status !== "failed" && status !== "interrupted" && status !== "stopped") return null;

  if (status === "failed" || error || asking.problem) {
    return (
      <ErrorNotice
        className="my-2"
        retrying={asking.isBusy}
        // The person may return with a better key or a compacted history.
        onRetry={asking.ask}
        retryLabel={waitSeconds > 0 ? `Retry in ${waitSeconds} s` : "Retry"}
        actions={
          <>
            {(error?.code === "cut" || status === "interrupted") && (
              <ContinueButton entry={entry} variant="quiet" />
            )}
            <WaysOut entry={entry} />
          </>
        }
      >
        {asking.problem ?? error?.message ?? "The model didn't finish this answer."}
      </ErrorNotice>
    );
  }
  return (
    <p className="my-2 flex flex-wrap items-center gap-x-2 gap-y-1 text-muted text-sm">
      <span>{status === "stopped" ? "Stopped" : "Interrupted. Partial answer kept."}</span>
      <ContinueButton entry={entry} variant="ghost" />
      <Button size="sm" variant="ghost" onClick={asking.ask} busy={asking.isBusy}>
        Retry
      </Button>
    </p>
  );
}

const continueWords = "Continue where you stopped.";

/** Only writes into the draft, which the person reads, changes and sends; nothing without a partial answer. */
function ContinueButton({ entry, variant }: { entry: EntryWire; variant: "quiet" | "ghost" }) {
  const { sessionId } = useTranscriptActions();
  if (messageText(entry.message) === "") return null;
  return (
    <Button size="sm" variant={variant} onClick={() => suggestInDraft(sessionId, continueWords)}>
      Continue…
    </Button>
  );
}

const mendedInSettings = new Set(["bad-key", "network", "bad-request"]);

function WaysOut({ entry }: { entry: EntryWire }) {
  const hasOthers = useOtherModels(entry).length > 0;
  return (
    <>
      {hasOthers && entry.parentId !== null && (
        <Menu
          trigger={
            <Button size="sm">
              Another model
              <ChevronDown aria-hidden />
            </Button>
          }
        >
          <OtherModels entry={entry} />
        </Menu>
      )}
      {mendedInSettings.has(entry.message.metadata?.error?.code ?? "") && (
        <Button size="sm" asChild>
          <Link href="/settings?section=models">Models and keys</Link>
        </Button>
      )}
    </>
  );
}

/** `time` in milliseconds since 1970; 0 afterwards. */
function useSecondsUntil(time: number): number {
  const [now, setNow] = useState(() => Date.now());
  const isOver = now >= time;
  useEffect(() => {
    if (isOver) return;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [isOver]);
  return Math.max(0, Math.ceil((time - now) / 1_000));
}

function useAskAgain({ parentId }: EntryWire) {
  const { answer } = useTranscriptActions();
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  async function ask() {
    if (parentId === null) return;
    setIsBusy(true);
    setProblem(null);
    await answer(parentId).catch((error: unknown) => setProblem(errorSentence(error)));
    setIsBusy(false);
  }
  return { isBusy, problem, ask: () => void ask() };
}
