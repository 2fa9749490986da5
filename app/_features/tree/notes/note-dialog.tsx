"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Sparkles } from "lucide-react";
import { useRef, useState } from "react";
import type { z } from "zod";
import { api } from "@/app/_api/api";
import { errorSentence } from "@/app/_api/api-error";
import { Failure } from "@/app/_api/failure";
import { queryKeys } from "@/app/_api/query-keys";
import { plainName } from "@/app/_data/chat/plain-name";
import { useTree } from "@/app/_data/tree/use-tree";
import { Button } from "@/app/_ui/button";
import { Dialog } from "@/app/_ui/dialog";
import { TextareaField } from "@/app/_ui/fields";
import { countOf, formatTokens } from "@/app/_ui/format-amount";
import { ListSkeleton } from "@/app/_ui/loading";
import { scrollable } from "@/app/_ui/markdown/scrollable";
import { ErrorNotice } from "@/app/_ui/notice";
import { Segmented } from "@/app/_ui/toggles";
import type { NotePlaces, NoteSourceWire, storeNoteRequest } from "@/lib/chat/wire/branches";
import type { EntryWire } from "@/lib/chat/wire/messages";
import {
  type NoteSummary,
  readSummaryDraft,
  summaryDraftKey,
  useNoteSummary,
  writeSummaryDraft,
} from "./use-note-summary";

export interface NoteDialogProps extends NotePlaces {
  readonly sessionId: string;
  readonly onStored: (entry: EntryWire) => void;
  readonly onClose: () => void;
}

export function NoteDialog({ sessionId, from, to, onStored, onClose }: NoteDialogProps) {
  const source = useNoteSource(sessionId, { from, to });
  const draftKey = summaryDraftKey(sessionId, { from, to });
  const storing = useStoreNote(sessionId, draftKey);
  const written = useNoteSummary(draftKey);
  // A retry after a lost reply finds the same note.
  const [id] = useState(() => crypto.randomUUID());
  const [choice, setChoice] = useState(noChoice);
  const note = { ...choice, summary: written.summary };
  const messages = source.data?.messages ?? [];

  function store() {
    storing.mutate(
      { id, parentId: to, from, ...contentOf(note) },
      {
        onSuccess: (entry) => {
          onStored(entry);
          onClose();
        },
      },
    );
  }

  function cancel() {
    writeSummaryDraft(draftKey, null);
    onClose();
  }

  return (
    <Dialog
      onClose={onClose}
      title="Carry context over"
      description="Adds a note from the branch you left. The model reads it here, and that branch doesn't change."
      width="md"
      footer={
        <>
          <Button onClick={cancel}>{written.isRestored ? "Discard" : "Cancel"}</Button>
          <Button
            variant="primary"
            onClick={store}
            disabled={!hasContent(note) || messages.length === 0}
            busy={storing.isPending}
          >
            Add note
          </Button>
        </>
      }
    >
      {source.isPending && <ListSkeleton label="Loading the branch" rows={4} />}
      <Failure of={source} />
      {source.data && messages.length === 0 && (
        <p className="text-muted text-sm">
          Nothing to carry over. Everything is already on this branch.
        </p>
      )}
      {messages.length > 0 && (
        <div className="flex flex-col gap-4">
          <NotePath sessionId={sessionId} to={to} first={messages[0]} />
          <NoteFields
            sessionId={sessionId}
            places={{ from, to }}
            messages={messages}
            choice={choice}
            onChoose={(change) => setChoice((before) => ({ ...before, ...change }))}
            written={written}
          />
          <Failure of={storing} />
        </div>
      )}
    </Dialog>
  );
}

interface NotePathProps {
  readonly sessionId: string;
  readonly to: string | null;
  readonly first: NoteSourceWire["messages"][number] | undefined;
}

function NotePath({ sessionId, to, first }: NotePathProps) {
  const tree = useTree(sessionId).data;
  const target = tree?.nodes.find(({ id }) => id === to);
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-3 text-sm">
      <dt className="text-faint">From</dt>
      <dd dir="auto" className="truncate">
        {plainName(first?.preview) || "The branch you left"}
      </dd>
      <dt className="text-faint">To</dt>
      <dd dir="auto" className="truncate">
        {to === null
          ? "The start of the chat"
          : target?.label || plainName(target?.preview) || "This branch"}
      </dd>
    </dl>
  );
}

interface NoteChoice {
  readonly kind: "summary" | "messages";
  readonly picked: ReadonlySet<string>;
}

const noChoice: NoteChoice = { kind: "summary", picked: new Set() };

type Note = NoteChoice & { readonly summary: NoteSummary };

function hasContent({ kind, summary, picked }: Note): boolean {
  return kind === "summary" ? summary.text.trim() !== "" : picked.size > 0;
}

function contentOf({ kind, summary: { text, model }, picked }: Note) {
  if (kind === "messages") return { kind, messageIds: [...picked] };
  return { kind, text, ...(model !== null && { model }) };
}

interface NoteFieldsProps {
  readonly sessionId: string;
  readonly places: NotePlaces;
  readonly messages: NoteSourceWire["messages"];
  readonly choice: NoteChoice;
  readonly onChoose: (change: Partial<NoteChoice>) => void;
  readonly written: ReturnType<typeof useNoteSummary>;
}

function NoteFields(props: NoteFieldsProps) {
  const { sessionId, places, messages, choice, onChoose, written } = props;
  const draft = useDraftNote(sessionId);
  return (
    <>
      <Segmented
        label="What to carry over"
        value={choice.kind}
        onChange={(kind) => onChoose({ kind })}
        options={[
          { value: "summary", label: "A summary" },
          { value: "messages", label: "Messages" },
        ]}
      />
      {choice.kind === "summary" ? (
        <SummaryDraft
          draft={draft}
          places={places}
          messageCount={messages.length}
          written={written}
        />
      ) : (
        <PickedMessages
          messages={messages}
          picked={choice.picked}
          onChange={(picked) => onChoose({ picked })}
        />
      )}
    </>
  );
}

interface PickedMessagesProps {
  readonly messages: NoteSourceWire["messages"];
  readonly picked: ReadonlySet<string>;
  readonly onChange: (picked: ReadonlySet<string>) => void;
}

function PickedMessages({ messages, picked, onChange }: PickedMessagesProps) {
  const chosen = messages.filter(({ id }) => picked.has(id));
  const tokens = chosen.reduce((sum, message) => sum + message.tokens, 0);

  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="sr-only">Messages to carry over</legend>
      <ul
        {...scrollable}
        aria-label="Messages of the branch you left"
        className="max-h-72 overflow-y-auto rounded-md border border-line"
      >
        {messages.map(({ id, role, preview, tokens: size }) => (
          <li key={id} className="border-line not-first:border-t">
            <label className="flex min-h-10 pointer-coarse:min-h-11 cursor-pointer items-center gap-3 px-3 py-1.5 text-sm hover:bg-hover">
              <input
                type="checkbox"
                className="size-4 shrink-0 accent-accent"
                checked={picked.has(id)}
                onChange={() => onChange(picked.symmetricDifference(new Set([id])))}
              />
              <span className="w-14 shrink-0 text-faint text-xs">
                {role === "user" ? "You" : "Answer"}
              </span>
              <span dir="auto" className="min-w-0 flex-1 truncate">
                {preview || "No text"}
              </span>
              <span className="shrink-0 text-faint text-xs tabular-nums">{formatTokens(size)}</span>
            </label>
          </li>
        ))}
      </ul>
      <p role="status" className="text-muted text-xs">
        {chosen.length === 0
          ? "Nothing selected yet."
          : `${countOf(chosen.length, "message")}, ${formatTokens(tokens)}.`}
      </p>
    </fieldset>
  );
}

interface SummaryDraftProps {
  readonly draft: ReturnType<typeof useDraftNote>;
  readonly places: NotePlaces;
  readonly messageCount: number;
  readonly written: ReturnType<typeof useNoteSummary>;
}

function SummaryDraft(props: SummaryDraftProps) {
  const { draft, places, messageCount, written } = props;
  const { text } = written.summary;
  const field = useRef<HTMLTextAreaElement>(null);

  function write() {
    draft.mutate(places, {
      onSuccess: ({ text, model }) => {
        written.replace({ text, model });
        field.current?.focus();
      },
    });
  }

  return (
    <div className="flex flex-col gap-3">
      {written.isRestored && (
        <p role="status" className="rounded-lg bg-accent-soft px-3.5 py-2.5 text-sm">
          Unsaved changes from last time.
        </p>
      )}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Button size="sm" onClick={write} busy={draft.isPending}>
          <Sparkles aria-hidden />
          {text === "" ? "Write it for me" : "Write it again"}
        </Button>
        <p role="status" className="text-muted text-xs">
          {draft.isPending ? "Writing…" : `From ${countOf(messageCount, "message")}.`}
          {written.undo && " Your text was replaced."}
        </p>
        {written.undo && (
          <Button size="sm" variant="ghost" onClick={written.undo}>
            Undo
          </Button>
        )}
      </div>
      <TextareaField
        label="Summary"
        hint="Edit it or write your own."
        ref={field}
        dir="auto"
        rows={6}
        maxRows={14}
        value={text}
        onChange={(event) => written.type(event.target.value)}
      />
      {draft.isError && (
        <ErrorNotice onRetry={write} retrying={draft.isPending}>
          {errorSentence(draft.error)} Nothing changed.
        </ErrorNotice>
      )}
    </div>
  );
}

function useNoteSource(sessionId: string, { from, to }: NotePlaces) {
  return useQuery({
    queryKey: queryKeys.noteSource(sessionId, from, to),
    queryFn: ({ signal }) =>
      api("GET /api/sessions/:sessionId/notes/source", {
        params: { sessionId },
        query: { from, to },
        signal,
      }),
  });
}

function useDraftNote(sessionId: string) {
  return useMutation({
    mutationFn: (places: NotePlaces) =>
      api("POST /api/sessions/:sessionId/notes/draft", { params: { sessionId }, body: places }),
  });
}

function useStoreNote(sessionId: string, draftKey: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: z.input<typeof storeNoteRequest>) =>
      api("POST /api/sessions/:sessionId/notes", { params: { sessionId }, body }),
    onSuccess: (_, note) => {
      const isDraft = note.kind === "summary" && note.text === readSummaryDraft(draftKey)?.text;
      if (isDraft) writeSummaryDraft(draftKey, null);
      return client.invalidateQueries({ queryKey: queryKeys.session(sessionId) });
    },
  });
}
