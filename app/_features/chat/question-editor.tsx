"use client";

import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import {
  cleanText,
  MAX_MESSAGE_LENGTH,
  replacedWords,
  textProblem,
} from "@/app/_data/chat/clean-text";
import { useDraft } from "@/app/_data/chat/draft-store";
import { messageFiles, messageText } from "@/app/_data/chat/message-text";
import {
  attach,
  attachmentsOf,
  attachStored,
  forgetAttachments,
  takeAttached,
} from "@/app/_data/files/attachments";
import { focusComposer } from "@/app/_data/page/focus-composer";
import { isSendKey } from "@/app/_data/page/preferences";
import { useTranscriptActions } from "@/app/_message/chat-session-context";
import { AttachButtons, useAttaching } from "@/app/_message/files/attach-button";
import { AttachmentList, useAttachments } from "@/app/_message/files/attachment-list";
import { Button } from "@/app/_ui/button";
import { Textarea } from "@/app/_ui/fields";
import type { EntryWire } from "@/lib/chat/wire/messages";

/** The old question stays as a sibling; only Send requests an answer. */
export function QuestionEditor({ entry }: { entry: EntryWire }) {
  const edit = useQuestionEdit(entry);
  const { editKey, field, text, problem, notice, onText, close, finish } = edit;

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === "Escape") {
      close();
      focusComposer();
    }
    if (isSendKey(event)) {
      event.preventDefault();
      finish(true);
    }
  }

  return (
    <div className="mb-8 ml-auto w-full max-w-[38rem] rounded-2xl rounded-br-sm border border-edge bg-raised px-4 py-3">
      <div className="-mx-3 -mt-3 mb-2">
        <AttachmentList draftKey={editKey} onInline={(added) => onText(text + added)} />
      </div>
      <Textarea
        ref={field}
        variant="plain"
        aria-label="Edit your message"
        aria-invalid={problem ? true : undefined}
        dir="auto"
        className="text-prose leading-relaxed"
        value={text}
        pasteLimit={MAX_MESSAGE_LENGTH}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {(problem ?? notice) && (
        <p role="alert" className="mt-1 text-danger text-sm">
          {problem ?? notice}
        </p>
      )}
      <CancelSaveAndSend {...edit} />
    </div>
  );
}

type QuestionEdit = ReturnType<typeof useQuestionEdit>;

function CancelSaveAndSend({ editKey, isFinishable, close, finish }: QuestionEdit) {
  const attaching = useAttaching((files) => attach(editKey, files));
  return (
    <div className="mt-2.5 flex flex-wrap items-center justify-end gap-2">
      {attaching.inputs}
      <AttachButtons {...attaching} />
      <p className="mr-auto text-faint text-xs">Saved as a new version.</p>
      <div className="flex gap-2">
        <Button size="sm" variant="ghost" onClick={close}>
          Cancel
        </Button>
        <Button size="sm" onClick={() => finish(false)} disabled={!isFinishable}>
          Save
        </Button>
        <Button size="sm" variant="primary" onClick={() => finish(true)} disabled={!isFinishable}>
          Send
        </Button>
      </div>
    </div>
  );
}

function useQuestionEdit(entry: EntryWire) {
  const { edit, startEditing } = useTranscriptActions();
  const original = messageText(entry.message);
  const editKey = `edit:${entry.message.id}`;
  const [draft, setDraft] = useDraft(editKey);
  const [text, setText] = useState(draft === "" ? original : draft);
  const field = useFocusAtEnd();
  const [notice, setNotice] = useState<string | null>(null);
  const problem = textProblem(text);
  const attachments = useAttachments(editKey);
  const isEmpty = text.trim() === "" && attachments.length === 0;
  const isReady = attachments.every(({ state }) => state.kind === "stored");
  const isFinishable = !isEmpty && isReady && problem === null;
  useOwnFiles(editKey, entry);

  function onText(raw: string) {
    const cleaned = cleanText(raw);
    setText(cleaned.text);
    setDraft(cleaned.text);
    setNotice(replacedWords(cleaned.replaced));
  }

  function finish(generate: boolean) {
    if (!isFinishable) return;
    edit(entry, { text, files: takeAttached(editKey), generate });
    close();
  }

  function close() {
    setDraft("");
    forgetAttachments(editKey);
    startEditing(null);
  }

  return { editKey, field, text, problem, notice, isFinishable, onText, finish, close };
}

function useOwnFiles(editKey: string, entry: EntryWire): void {
  const [own] = useState(() => messageFiles(entry.message));
  useEffect(() => {
    const known = attachmentsOf(editKey).read();
    if (known.length === 0) attachStored(editKey, own);
  }, [editKey, own]);
}

function useFocusAtEnd() {
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    field.current?.focus();
    field.current?.setSelectionRange(field.current.value.length, field.current.value.length);
  }, []);
  return field;
}
