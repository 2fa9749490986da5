"use client";

import { EyeOff, Globe } from "lucide-react";
import dynamic from "next/dynamic";
import { memo, startTransition, useCallback, useMemo, useRef, useState } from "react";
import { messageText } from "@/app/_data/chat/message-text";
import { RunReader } from "@/app/_data/chat/run-reader";
import { refusedWords } from "@/app/_data/models/model-words";
import { AnswerParts } from "@/app/_message/answer-parts";
import { useTranscriptActions } from "@/app/_message/chat-session-context";
import { summarizing } from "@/app/_message/compaction/compaction-words";
import { MemoryWrites } from "@/app/_message/memory/memory-writes";
import { type AnswerSource, shownParts, sourcesOf } from "@/app/_message/message-parts";
import { isolated } from "@/app/_ui/isolated";
import { hostOf } from "@/app/_ui/markdown/link-address";
import { type OpenedBlock, OpenPreview } from "@/app/_ui/preview/open-preview";
import { useReadsOnly } from "@/app/_ui/reads-only";
import type { SummaryRunWire } from "@/lib/chat/wire/compaction";
import type {
  EntryWire,
  GroveMessage,
  GroveMetadata,
  LeftOutWire,
  ProposedWriteWire,
  RunWire,
  SiblingsWire,
} from "@/lib/chat/wire/messages";
import type { Feature } from "@/lib/chat/wire/settings";
import { AnswerEditor } from "./answer-editor";
import { AnswerTrouble } from "./answer-trouble";
import { MessageActions } from "./message-actions";
import { MessageBookmark, MessageFrame, WritingMark } from "./message-frame";
import { useIsEditedAt } from "./open-editors";
import { SiblingSwitcher } from "./sibling-switcher";
import { beginningOf } from "./use-answers";

const MemoryProposals = dynamic(() =>
  import("@/app/_message/memory/memory-proposals").then((part) => part.MemoryProposals),
);

export interface AnswerRowProps {
  readonly entry: EntryWire | null;
  readonly followers?: readonly EntryWire[] | undefined;
  readonly run: RunWire | null;
  readonly runSiblings: SiblingsWire | null;
  readonly awaited: SummaryRunWire | null;
  readonly isLast: boolean;
  readonly isFlashing: boolean;
  readonly isEditing?: boolean;
}

interface Live {
  readonly key: string;
  readonly message: GroveMessage;
}

/** One component renders running and stored answers, so that storing changes only the actions. */
export const AnswerRow = memo(function AnswerRow(props: AnswerRowProps) {
  const {
    entry,
    followers,
    run,
    runSiblings,
    awaited,
    isLast,
    isFlashing,
    isEditing = false,
  } = props;
  const { settle, sessionId, openPreview } = useTranscriptActions();
  const isBeside = useIsEditedAt("beside", entry?.message.id ?? "");
  const isStored = entry !== null && run === null;
  const readsOnly = useReadsOnly();
  const onPreview = useMemo(
    () =>
      entry && isStored && !readsOnly ? (opened: OpenedBlock) => openPreview(entry, opened) : null,
    [entry, isStored, openPreview, readsOnly],
  );
  const [live, setLive] = useState<Live | null>(null);
  const runId = run?.id;
  const runKey = run && `${run.id} ${run.part}`;
  const hasWords = useRef(false);
  const onMessage = useCallback(
    (message: GroveMessage) => {
      if (!runKey) return;
      const show = () => setLive({ key: runKey, message });
      // Typing has priority over formatting new text.
      if (hasWords.current) startTransition(show);
      else show();
      hasWords.current = true;
    },
    [runKey],
  );
  const onEnd = useCallback(() => runId && void settle(runId), [runId, settle]);
  const written =
    live && live.key === runKey && live.message.parts.length > 0 ? live.message : null;
  const begun = run && !entry ? beginningOf(run.messageId) : null;
  const message = written ?? entry?.message ?? begun;
  const sources = entry && !run ? sourcesOf(entry.message) : [];
  const proposals = entry ? proposalsBelow(entry) : [];
  const isSilent = run !== null && (message === null || shownParts(message).length === 0);

  if (entry && !run && isEditing && !isBeside) {
    return (
      <MessageFrame author="Grove" at={entry.createdAt} isFlashing={isFlashing}>
        <AnswerEditor entry={entry} />
      </MessageFrame>
    );
  }
  return (
    <MessageFrame
      author="Grove"
      at={entry?.createdAt ?? run?.startedAt ?? ""}
      isFlashing={isFlashing}
      isBusy={run !== null}
    >
      {message && (
        <OpenPreview value={onPreview}>
          <AnswerParts
            sessionId={sessionId}
            message={message}
            at={entry?.createdAt}
            followers={followers}
            isStreaming={run !== null}
            isWaiting={run === null && entry?.isWaiting === true}
            largeOutputs={entry?.largeOutputs}
          />
        </OpenPreview>
      )}
      {run && runKey && (
        <RunReader
          key={runKey}
          run={run}
          before={entry?.message ?? null}
          onMessage={onMessage}
          onEnd={onEnd}
        />
      )}
      {sources.length > 0 && <AnswerSources sources={sources} />}
      {entry?.message.metadata?.assistant && !run && (
        <p className="mt-2 text-faint text-xs">{isolated(entry.message.metadata.assistant.name)}</p>
      )}
      {entry && !run && <LeftOutLine metadata={entry.message.metadata} />}
      {entry && !run && <AnswerTrouble entry={entry} />}
      {entry?.message.metadata?.writes && <MemoryWrites writes={entry.message.metadata.writes} />}
      {proposals.length > 0 && <MemoryProposals proposals={proposals} />}
      {entry && <MessageBookmark entry={entry} />}
      {entry && !run ? (
        <MessageActions entry={actedOn(entry, followers)} isLast={isLast} />
      ) : (
        <RunFoot run={run} siblings={runSiblings} awaited={awaited} isSilent={isSilent} />
      )}
    </MessageFrame>
  );
});

function actedOn(entry: EntryWire, followers: readonly EntryWire[] = []): EntryWire {
  return messageText(entry.message) === "" ? (followers.at(-1) ?? entry) : entry;
}

function proposalsBelow({ message, isWaiting }: EntryWire): readonly ProposedWriteWire[] {
  const { proposals = [] } = message.metadata ?? {};
  if (!isWaiting) return proposals;
  const waiting = shownParts(message).flatMap((part) =>
    part.kind === "tool" && part.call.state === "waiting" ? [part.call.id] : [],
  );
  return proposals.filter(({ toolCallId = "" }) => !waiting.includes(toolCallId));
}

interface RunFootProps {
  readonly run: RunWire | null;
  readonly siblings: SiblingsWire | null;
  readonly awaited: SummaryRunWire | null;
  readonly isSilent: boolean;
}

/** Shown only before the first text: growing text pushes it down, which counts as layout shift. */
function RunFoot({ run, siblings, awaited, isSilent }: RunFootProps) {
  return (
    <div className={`mt-1 -ml-1.5 flex min-h-8 items-center gap-2 ${isSilent ? "" : "invisible"}`}>
      {run && siblings && (
        <div className="visible">
          <SiblingSwitcher isStored={false} siblings={siblings} parentId={run.parentId} />
        </div>
      )}
      <WritingMark />
      {awaited && (
        <p role="status" className="text-muted text-sm">
          {summarizing(awaited)} first, to make room.
        </p>
      )}
    </div>
  );
}

/** Opening a source is the reader's choice: nothing of it is loaded here. */
function AnswerSources({ sources }: { sources: readonly AnswerSource[] }) {
  return (
    <section aria-label="Sources" className="mt-3 text-sm">
      <p className="flex items-center gap-2 text-muted text-xs">
        <Globe aria-hidden className="size-3.5" />
        Sources
      </p>
      <ol className="mt-1 flex flex-col">
        {sources.map(({ address, title }) => (
          <li key={address} className="[overflow-wrap:anywhere]">
            <a
              href={address}
              target="_blank"
              rel="noopener noreferrer nofollow"
              className="inline-flex min-h-8 pointer-coarse:min-h-11 flex-wrap items-center gap-x-2 underline decoration-line underline-offset-2 hover:decoration-ink"
            >
              {title}
              <span className="text-faint no-underline">{hostOf(address)}</span>
            </a>
          </li>
        ))}
      </ol>
    </section>
  );
}

function LeftOutLine({ metadata }: { metadata: GroveMetadata | undefined }) {
  const lines = leftOutLines(metadata?.leftOut);
  if (lines.length === 0) return null;
  return (
    <ul aria-label="Left out" className="mt-2 flex flex-col gap-1 text-faint text-xs">
      {lines.map((line) => (
        <li key={line} className="flex gap-2">
          <EyeOff aria-hidden className="mt-0.5 size-3 shrink-0" />
          <span className="wrap-anywhere">{line}</span>
        </li>
      ))}
    </ul>
  );
}

const mostNamed = 5;
const sentOtherwise: ReadonlySet<Feature> = new Set(["thoughts", "calls"]);

function leftOutLines(leftOut: LeftOutWire | undefined): string[] {
  const { refused = [], files = [], hostedTools = [], missing = [] } = leftOut ?? {};
  const { fileCount = files.length } = leftOut ?? {};
  const reasons = new Map<string, string[]>();
  for (const { name, reason } of files.slice(-mostNamed))
    reasons.set(reason, [...(reasons.get(reason) ?? []), `“${isolated(name)}”`]);
  const more = fileCount - Math.min(fileCount, mostNamed);
  return [
    ...refused.filter((feature) => !sentOtherwise.has(feature)).map(refusedWords),
    ...[...reasons].map(
      ([reason, names]) => `Not seen by the model: ${names.join(", ")} (${reason})`,
    ),
    ...(missing.length > 0
      ? [`The assistant asks for what is not available: ${missing.map(isolated).join(", ")}`]
      : []),
    ...(hostedTools.length > 0
      ? [
          `Not offered to the model: ${hostedTools.join(", ")} (known to the servers of OpenAI or Anthropic alone)`,
        ]
      : []),
    ...(more > 0
      ? [`${more} more ${more === 1 ? "file was" : "files were"} not seen by the model.`]
      : []),
  ];
}
