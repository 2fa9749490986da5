"use client";

import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { api } from "@/app/_api/api";
import { errorSentence } from "@/app/_api/api-error";
import { cleanText, replacedWords } from "@/app/_data/chat/clean-text";
import { draftOf, useDraft } from "@/app/_data/chat/draft-store";
import { focusComposer } from "@/app/_data/page/focus-composer";
import { isSendKey } from "@/app/_data/page/preferences";
import { useTranscriptActions } from "@/app/_message/chat-session-context";
import { Button } from "@/app/_ui/button";
import { Textarea } from "@/app/_ui/fields";
import type { EntryWire } from "@/lib/chat/wire/messages";
import { answerTexts, storedTexts } from "./answer-texts";
import { useOpenEditor } from "./open-editors";

const maxLength = 1_000_000;

/** The answer stays as a version; no model is asked. The output of its tools stays between the texts. */
export function AnswerEditor({ entry }: { entry: EntryWire }) {
  const { startEditing } = useTranscriptActions();
  const edit = useAnswerEdit(entry, () => startEditing(null));
  useOpenEditor(entry.message.id, "chat");
  const { texts, onText, close, save } = edit;
  const fields = useFocusOfFirst();

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === "Escape") {
      close();
      focusComposer();
    }
    if (isSendKey(event) && (event.metaKey || event.ctrlKey)) {
      event.preventDefault();
      void save();
    }
  }

  return (
    <div
      ref={fields}
      className="my-2 flex flex-col gap-2 rounded-xl border border-edge bg-raised px-4 py-3"
    >
      {texts.map((text, at) => (
        <Textarea
          // biome-ignore lint/suspicious/noArrayIndexKey: the texts of an answer keep their order
          key={at}
          variant="plain"
          aria-label={texts.length === 1 ? "Edit the answer" : `Edit the answer, text ${at + 1}`}
          dir="auto"
          maxRows={24}
          className={`text-prose leading-relaxed ${at > 0 ? "border-line border-t pt-2" : ""}`}
          value={text}
          maxLength={maxLength}
          onChange={(event) => onText(at, event.target.value)}
          onKeyDown={onKeyDown}
        />
      ))}
      <CancelAndSave {...edit} />
    </div>
  );
}

type AnswerEdit = Omit<ReturnType<typeof useAnswerEdit>, "texts" | "onText">;

export function CancelAndSave({ problem, notice, isBusy, isSavable, close, save }: AnswerEdit) {
  return (
    <>
      {(problem ?? notice) && (
        <p role="alert" className="text-danger text-sm">
          {problem ?? notice}
        </p>
      )}
      <div className="flex flex-wrap items-center justify-end gap-2">
        <p className="mr-auto text-faint text-xs">
          Saved as a new version, marked “Edited by you”.
        </p>
        <Button size="sm" variant="ghost" onClick={close}>
          Cancel
        </Button>
        <Button
          size="sm"
          variant="primary"
          busy={isBusy}
          disabled={!isSavable}
          onClick={() => void save()}
        >
          Save
        </Button>
      </div>
    </>
  );
}

export function useAnswerEdit({ message }: EntryWire, onDone: (edited?: EntryWire) => void) {
  const { sessionId, showEdited } = useTranscriptActions();
  const { id: messageId } = message;
  const originals = answerTexts(message);
  const draftKey = `edit:${messageId}`;
  const [draft, setDraft] = useDraft(draftKey);
  const [texts, setTexts] = useState(() => storedTexts(draft, originals.length) ?? originals);
  const [notice, setNotice] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  // A repeated save stores one version.
  const [id] = useState(() => crypto.randomUUID());
  const isSame = texts.every((text, at) => text === originals[at]);
  const isEmpty = texts.every((text) => text.trim() === "");
  const isSavable = !isSame && !isEmpty;

  function onText(at: number, raw: string) {
    const { text, replaced } = cleanText(raw);
    const changed = texts.with(at, text);
    setTexts(changed);
    setDraft(JSON.stringify(changed));
    setNotice(replacedWords(replaced));
  }

  function close() {
    setDraft("");
    onDone();
  }

  async function save() {
    if (isBusy || !isSavable) return;
    setIsBusy(true);
    setProblem(null);
    try {
      const params = { sessionId, messageId };
      const path = "POST /api/sessions/:sessionId/messages/:messageId/edited";
      const edited = await api(path, { params, body: { id, texts } });
      if (draftOf(draftKey).read() === JSON.stringify(texts)) setDraft("");
      onDone(edited);
      showEdited(edited);
    } catch (error) {
      setProblem(errorSentence(error));
      setIsBusy(false);
    }
  }

  return { texts, problem, notice, isBusy, isSavable, onText, close, save };
}

function useFocusOfFirst() {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const field = place.current?.querySelector("textarea");
    field?.focus({ preventScroll: true });
    field?.setSelectionRange(0, 0);
  }, []);
  return place;
}
