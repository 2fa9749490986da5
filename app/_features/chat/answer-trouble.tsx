"use client";

import { ChevronDown } from "lucide-react";
import Link from "next/link";
import { useEffect, useState } from "react";
import { ActionButton } from "@/app/_api/action-button";
import { errorSentence } from "@/app/_api/api-error";
import { messageText } from "@/app/_data/chat/message-text";
import { parameterLabels } from "@/app/_data/models/parameter-form";
import { useTranscriptActions } from "@/app/_message/chat-session-context";
import { ModelButton } from "@/app/_message/models/model-picker";
import { Button } from "@/app/_ui/button";
import { ErrorNotice } from "@/app/_ui/notice";
import { inSpace } from "@/app/_ui/page-space";
import { useReadsOnly, Writes } from "@/app/_ui/reads-only";
import { useSpace } from "@/app/_ui/use-space";
import type { EntryWire } from "@/lib/chat/wire/messages";
import type { ParameterName } from "@/lib/chat/wire/request-fields";
import { useHasOtherModels, useRegenerate } from "./regenerate-buttons";

export function AnswerTrouble({ entry }: { entry: EntryWire }) {
  const { status, error } = entry.message.metadata ?? {};
  const readsOnly = useReadsOnly();
  const asking = useAskAgain(entry);
  const waitSeconds = useSecondsUntil(Date.parse(entry.createdAt) + (error?.retryAfterMs ?? 0));
  if (status !== "failed" && status !== "interrupted" && status !== "stopped") return null;

  if (status === "failed" || error || asking.problem) {
    return (
      <ErrorNotice
        className="my-2"
        details={asking.problem ? undefined : error?.details}
        retrying={asking.isBusy}
        {...(!readsOnly && { onRetry: asking.ask })}
        retryLabel={waitSeconds > 0 ? `Retry in ${waitSeconds} s` : "Retry"}
        actions={
          <Writes>
            {error?.refused && <SendWithout entry={entry} refused={error.refused} />}
            <ContinueButton entry={entry} variant="quiet" />
            <WaysOut entry={entry} />
          </Writes>
        }
      >
        {asking.problem ?? error?.message ?? "The model didn't finish this answer."}
        {error?.refused && <Details words={error.refused.words} />}
      </ErrorNotice>
    );
  }
  return (
    <p className="my-2 flex flex-wrap items-center gap-x-2 gap-y-1 text-muted text-sm">
      <span>{status === "stopped" ? "Stopped" : "Interrupted. Partial answer kept."}</span>
      <Writes>
        <ContinueButton entry={entry} variant="ghost" />
      </Writes>
    </p>
  );
}

function Details({ words }: { words: string }) {
  return (
    <details className="mt-1">
      <summary className="w-fit cursor-pointer rounded-xs">Details</summary>
      <span className="wrap-anywhere block pt-1">“{words}”</span>
    </details>
  );
}

interface SendWithoutProps {
  readonly entry: EntryWire;
  readonly refused: { readonly parameters: readonly ParameterName[] };
}

function SendWithout({ entry, refused: { parameters } }: SendWithoutProps) {
  const { withoutParameters } = useTranscriptActions();
  const regenerate = useRegenerate(entry);
  const { model } = entry.message.metadata ?? {};
  const labels = parameters.map((name) => parameterLabels[name].toLowerCase());
  return (
    <ActionButton
      size="sm"
      action={() => withoutParameters(parameters).then(() => regenerate(model))}
    >
      Send without {labels.join(" and ")}
    </ActionButton>
  );
}

function ContinueButton({ entry, variant }: { entry: EntryWire; variant: "quiet" | "ghost" }) {
  const { answer } = useTranscriptActions();
  const { message, parentId } = entry;
  if (messageText(message) === "" || parentId === null) return null;
  return (
    <ActionButton
      size="sm"
      variant={variant}
      action={() => answer(parentId, message.metadata?.model, { continues: message })}
    >
      Continue
    </ActionButton>
  );
}

const mendedInSettings = new Set(["bad-key", "network", "bad-request"]);

function WaysOut({ entry }: { entry: EntryWire }) {
  const hasOthers = useHasOtherModels(entry);
  const regenerate = useRegenerate(entry);
  const space = useSpace();
  const { model } = entry.message.metadata ?? {};
  return (
    <>
      {hasOthers && entry.parentId !== null && (
        <ModelButton
          title="Regenerate with another model"
          label="Another model"
          chosen={model === undefined ? [] : [model]}
          onChoose={(ref) => ref !== null && regenerate(ref)}
        >
          Another model
          <ChevronDown aria-hidden />
        </ModelButton>
      )}
      {mendedInSettings.has(entry.message.metadata?.error?.code ?? "") && (
        <Button size="sm" asChild>
          <Link href={inSpace("/settings?section=models", space)}>Settings → Models</Link>
        </Button>
      )}
    </>
  );
}

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
