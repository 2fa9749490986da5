"use client";

import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { focusComposer } from "@/app/_shell/focus-composer";
import { Button } from "@/app/_ui/button";
import { Textarea } from "@/app/_ui/fields";
import type { EntryWire } from "@/lib/chat/wire/messages";
import { useTranscriptActions } from "./chat-session-context";
import { cleanText, MAX_MESSAGE_LENGTH, replacedWords, textProblem } from "./clean-text";
import { useDraft } from "./draft-store";
import { messageText } from "./message-text";

/** The old question stays as a sibling; only Send requests an answer. */
export function QuestionEditor({ entry }: { entry: EntryWire }) {
  const { edit, startEditing } = useTranscriptActions();
  const original = messageText(entry.message);
  const [draft, setDraft] = useDraft(`edit:${entry.message.id}`);
  const [text, setText] = useState(draft === "" ? original : draft);
  const field = useFocusAtEnd();
  const [notice, setNotice] = useState<string | null>(null);
  const problem = textProblem(text);
  const isEmpty = text.trim() === "";

  function onText(raw: string) {
    const cleaned = cleanText(raw);
    setText(cleaned.text);
    setDraft(cleaned.text);
    setNotice(replacedWords(cleaned.replaced));
  }

  function finish(generate: boolean) {
    if (problem || isEmpty) return;
    edit(entry, text, { generate });
    close();
  }

  function close() {
    setDraft("");
    startEditing(null);
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape") {
      close();
      focusComposer();
    }
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      finish(true);
    }
  }

  return (
    <div className="ml-auto w-full max-w-[38rem] rounded-2xl rounded-br-sm border border-edge bg-raised px-4 py-3">
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
      <div className="mt-2.5 flex flex-wrap items-center justify-end gap-2">
        <p className="mr-auto text-faint text-xs">Saved as a new version.</p>
        <Button size="sm" variant="ghost" onClick={close}>
          Cancel
        </Button>
        <Button size="sm" onClick={() => finish(false)} disabled={isEmpty || problem !== null}>
          Save
        </Button>
        <Button
          size="sm"
          variant="primary"
          onClick={() => finish(true)}
          disabled={isEmpty || problem !== null}
        >
          Send
        </Button>
      </div>
    </div>
  );
}

function useFocusAtEnd() {
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    field.current?.focus();
    field.current?.setSelectionRange(field.current.value.length, field.current.value.length);
  }, []);
  return field;
}
