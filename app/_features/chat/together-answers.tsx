"use client";

import { type QueryClient, queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { Check, Square } from "lucide-react";
import { type MouseEvent, type ReactNode, useMemo, useRef, useState } from "react";
import { ActionButton } from "@/app/_api/action-button";
import { ApiError, errorSentence } from "@/app/_api/api-error";
import { queryKeys } from "@/app/_api/query-keys";
import { useServerEvent } from "@/app/_api/server-events";
import { toastError } from "@/app/_api/toast-error";
import { useVersions, versionsQuery } from "@/app/_data/chat/use-messages";
import { useModelName } from "@/app/_data/models/use-models";
import {
  type AnswerOptions,
  type TranscriptActions,
  TranscriptActionsContext,
  useTranscriptActions,
} from "@/app/_message/chat-session-context";
import { Button } from "@/app/_ui/button";
import { classNames } from "@/app/_ui/class-names";
import { Skeleton } from "@/app/_ui/loading";
import { scrollable } from "@/app/_ui/markdown/scrollable";
import { ErrorNotice } from "@/app/_ui/notice";
import type { OpenedBlock } from "@/app/_ui/preview/open-preview";
import { useReadsOnly, Writes } from "@/app/_ui/reads-only";
import type { AskedAnswer, EntryWire, RunWire } from "@/lib/chat/wire/messages";
import { AnswerRow } from "./answer-row";
import { refusesEditor } from "./open-editors";
import { readPage } from "./transcript-pages";
import { stopRun } from "./use-answers";

export interface TogetherAnswersProps {
  readonly question: EntryWire;
  readonly asked: readonly AskedAnswer[];
  readonly shown: EntryWire | null;
  readonly runs: readonly RunWire[];
}

export function TogetherAnswers({ question, asked, shown, runs }: TogetherAnswersProps) {
  const nameOf = useModelName();
  const columns = useRef<HTMLElement>(null);
  useAnswersAnew(question.message.id, asked);
  const stored = useStoredAnswers(question.message.id);

  function show(index: number) {
    columns.current?.children[index]?.scrollIntoView({ block: "nearest", inline: "start" });
  }

  return (
    <div className="mt-3">
      <nav
        aria-label="Answers"
        className="mb-2 flex gap-1 overflow-x-auto pb-1 lg:hidden print:hidden"
      >
        {asked.map(({ answerId, model }, index) => (
          <Button
            key={answerId}
            size="sm"
            className="max-w-44 font-normal"
            onClick={() => show(index)}
          >
            <span className="truncate">{nameOf(model)}</span>
          </Button>
        ))}
      </nav>
      <section
        ref={columns}
        aria-label={`${asked.length} answers`}
        {...scrollable}
        className="-mx-2 flex snap-x snap-mandatory scroll-px-2 items-stretch gap-3 overflow-x-auto px-2 pb-2 lg:snap-none print:block print:space-y-3"
      >
        {asked.map((each) => (
          <TogetherColumn
            key={each.answerId}
            asked={each}
            question={question}
            shown={shown?.message.id === each.answerId ? shown : null}
            run={runs.find(({ messageId }) => messageId === each.answerId) ?? null}
            isStored={stored?.includes(each.answerId)}
            name={nameOf(each.model)}
          />
        ))}
      </section>
    </div>
  );
}

/** Another tab may have stopped an answer or continued with it. */
function useAnswersAnew(questionId: string, asked: readonly AskedAnswer[]): void {
  const client = useQueryClient();
  const { sessionId } = useTranscriptActions();
  useServerEvent((event) => {
    if (event.type !== "run-finished" || event.sessionId !== sessionId) return;
    if (!asked.some(({ answerId }) => answerId === event.messageId)) return;
    void client.invalidateQueries({ queryKey: queryKeys.versions(sessionId, questionId) });
    void client.invalidateQueries({ queryKey: queryKeys.answer(sessionId, event.messageId) });
  });
}

function useStoredAnswers(questionId: string): readonly string[] | undefined {
  const { sessionId } = useTranscriptActions();
  return useVersions(sessionId, questionId).data?.versions.map(({ id }) => id);
}

interface TogetherColumnProps {
  readonly asked: AskedAnswer;
  readonly question: EntryWire;
  readonly shown: EntryWire | null;
  readonly run: RunWire | null;
  readonly isStored: boolean | undefined;
  readonly name: string;
}

function TogetherColumn(props: TogetherColumnProps) {
  const { asked, question, shown, isStored, name } = props;
  const { sessionId } = useTranscriptActions();
  const { answerId } = asked;
  const { data, error, isPending, refetch } = useQuery({
    ...answerQuery(sessionId, answerId),
    enabled: shown === null && isStored === true,
  });
  const entry = shown ?? data ?? null;
  const isReading = isPending && isStored !== false;
  const run = useRunUntilRead(props.run, entry !== null || !isReading);
  const isWriting = run !== null && (entry === null || run.part > 0);
  const readsOnly = useReadsOnly();
  const choosing = useChoosing({ asked, question, isShown: shown !== null || entry === null });
  const [isEditing, setIsEditing] = useState(false);
  const actions = useColumnActions(asked, { reread: () => void refetch(), setIsEditing });
  const alone = useMemo(() => entry && { ...entry, siblings: oneVersion }, [entry]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: its button "Continue here" is for the keyboard
    <section
      aria-label={`Answer of ${name}`}
      className={classNames(
        "flex w-[86%] min-w-64 max-w-full shrink-0 snap-start flex-col rounded-xl border bg-paper px-4 pt-2 pb-1 lg:w-auto lg:flex-1 print:block print:w-auto",
        shown ? "border-accent" : "border-line",
      )}
      onClick={choosing.onClick}
    >
      <header className="mb-2 flex min-h-9 items-center border-line border-b pb-1.5">
        <bdi className="truncate font-medium text-sm">{name}</bdi>
      </header>
      <TranscriptActionsContext value={actions}>
        {(isWriting || alone) && (
          <AnswerRow
            entry={alone}
            run={isWriting ? run : null}
            runSiblings={null}
            awaited={null}
            isLast={false}
            isFlashing={false}
            isEditing={isEditing}
          />
        )}
      </TranscriptActionsContext>
      {!isWriting && !entry && (
        <AbsentAnswer
          isPending={isReading}
          error={error}
          onRead={() => void refetch()}
          onAsk={() => actions.answer(question.message.id)}
        />
      )}
      <footer className="mt-auto flex min-h-9 items-center justify-end gap-2 border-line border-t py-1.5 print:hidden">
        {shown ? (
          <p className="mr-auto text-faint text-xs">
            {readsOnly ? "Shown" : "Next message goes here"}
          </p>
        ) : (
          entry &&
          !isWriting && (
            <Button
              size="sm"
              variant="ghost"
              className="mr-auto"
              aria-label={`${readsOnly ? "Show" : "Continue here with"} the answer of ${name}`}
              busy={choosing.isBusy}
              onClick={choosing.choose}
            >
              {readsOnly ? "Show" : "Continue here"}
            </Button>
          )
        )}
        <Writes>
          {isWriting ? (
            <StopButton run={run} name={name} />
          ) : (
            entry && <KeepButton questionId={question.message.id} asked={asked} name={name} />
          )}
        </Writes>
      </footer>
    </section>
  );
}

function useRunUntilRead(run: RunWire | null, isRead: boolean): RunWire | null {
  const [last, setLast] = useState(run);
  if (run !== null && run !== last) setLast(run);
  return run ?? (isRead ? null : last);
}

interface Choosing {
  readonly isBusy: boolean;
  readonly choose: () => void;
  readonly onClick: (event: MouseEvent<HTMLElement>) => void;
}

function useChoosing({
  asked,
  question,
  isShown,
}: Pick<TogetherColumnProps, "asked" | "question"> & { isShown: boolean }): Choosing {
  const { goOnWith } = useTranscriptActions();
  const [isBusy, setIsBusy] = useState(false);
  function choose() {
    if (isShown || isBusy) return;
    setIsBusy(true);
    goOnWith(asked.answerId, question.message.id)
      .catch(toastError)
      .finally(() => setIsBusy(false));
  }
  return {
    isBusy,
    choose,
    onClick(event) {
      const { target, currentTarget } = event;
      const ownUse = target instanceof Element && target.closest(usable);
      const isInside = target instanceof Node && currentTarget.contains(target);
      if (isInside && !ownUse && getSelection()?.isCollapsed !== false) choose();
    },
  };
}

const usable =
  "a, button, input, textarea, select, summary, label, iframe, [role=button], [role=dialog]";

const oneVersion = { index: 0, count: 1, previousId: null, nextId: null };

function answerQuery(sessionId: string, answerId: string) {
  return queryOptions({
    queryKey: queryKeys.answer(sessionId, answerId),
    queryFn: ({ signal }) => readAnswer(sessionId, answerId, signal),
  });
}

export async function loadAnswers(
  client: QueryClient,
  sessionId: string,
  { question, asked }: Pick<TogetherAnswersProps, "question" | "asked">,
): Promise<void> {
  await Promise.all([
    client.fetchQuery(versionsQuery(sessionId, question.message.id)),
    ...asked.map(({ answerId }) => client.fetchQuery(answerQuery(sessionId, answerId))),
  ]);
}

async function readAnswer(
  sessionId: string,
  answerId: string,
  signal: AbortSignal,
): Promise<EntryWire | null> {
  try {
    const target = { leaf: answerId, withOriginals: true };
    const page = await readPage(sessionId, target, { limit: 1 }, signal);
    return page.entries.at(-1) ?? null;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

function useColumnActions(
  asked: AskedAnswer,
  { reread, setIsEditing }: { reread: () => void; setIsEditing: (isEditing: boolean) => void },
): TranscriptActions {
  const actions = useTranscriptActions();
  const { answerId, model: own } = asked;
  const latest = useRef(reread);
  latest.current = reread;
  return useMemo(
    () => ({
      ...actions,
      answer: (parentId: string, model: string = own, options: AnswerOptions = {}) =>
        actions.answer(parentId, model, { ...options, replaces: answerId }),
      async settle(runId: string) {
        await actions.settle(runId);
        latest.current();
      },
      startEditing(messageId: string | null) {
        if (!refusesEditor(messageId)) setIsEditing(messageId !== null);
      },
      showEdited: () => actions.refresh(),
      openPreview: (entry: EntryWire, opened: OpenedBlock) =>
        actions.openPreview(entry, opened, { isOneOfSeveral: true }),
    }),
    [actions, answerId, own, setIsEditing],
  );
}

function StopButton({ run, name }: { run: RunWire; name: string }) {
  const [isStopping, setIsStopping] = useState(false);
  async function stop() {
    setIsStopping(true);
    await stopRun(run.sessionId, run.id).catch((error: unknown) => {
      setIsStopping(false);
      toastError(error);
    });
  }
  return (
    <Button
      size="sm"
      variant="ghost"
      icon={<Square aria-hidden className="fill-current" />}
      aria-label={`Stop ${name}`}
      busy={isStopping}
      onClick={() => void stop()}
    >
      Stop
    </Button>
  );
}

interface KeepButtonProps {
  readonly questionId: string;
  readonly asked: AskedAnswer;
  readonly name: string;
}

function KeepButton({ questionId, asked: { answerId, model }, name }: KeepButtonProps) {
  const { keep } = useTranscriptActions();
  return (
    <ActionButton
      size="sm"
      icon={<Check aria-hidden />}
      aria-label={`Keep the answer of ${name}`}
      action={() => keep(questionId, answerId, model)}
    >
      Keep
    </ActionButton>
  );
}

interface AbsentAnswerProps {
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly onRead: () => void;
  readonly onAsk: () => Promise<void>;
}

function AbsentAnswer({ isPending, error, onRead, onAsk }: AbsentAnswerProps): ReactNode {
  if (isPending) return <Skeleton className="my-3 h-24 w-full" />;
  if (error) return <ErrorNotice onRetry={onRead}>{errorSentence(error)}</ErrorNotice>;
  return (
    <div className="flex min-h-12 flex-wrap items-center gap-3 py-2 text-muted text-sm">
      <span>No answer here.</span>
      <Writes>
        <ActionButton size="sm" action={onAsk}>
          Generate answer
        </ActionButton>
      </Writes>
    </div>
  );
}
