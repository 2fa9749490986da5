"use client";

import { Pencil } from "lucide-react";
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import { focusComposer } from "@/app/_data/page/focus-composer";
import { isTyping } from "@/app/_data/page/shortcuts";
import { IconButton } from "@/app/_ui/button";
import { Textarea } from "@/app/_ui/fields";
import { CodeHead, ShownCode } from "@/app/_ui/preview/shown-code";
import type { EntryWire } from "@/lib/chat/wire/messages";
import {
  type CodePlace,
  codeIn,
  codeOfVersion,
  type OpenedPreview,
  shownVersion,
  withCode,
} from "./answer-code";
import { CancelAndSave, useAnswerEdit } from "./answer-editor";
import { answerTexts, isEditableAnswer } from "./answer-texts";
import { useIsEditedAt, useOpenEditor } from "./open-editors";
import { SiblingSwitcher } from "./sibling-switcher";
import type { LoadedTranscript } from "./transcript-window";

export interface PreviewSideProps {
  readonly opened: OpenedPreview;
  readonly window: LoadedTranscript;
  readonly onClose: () => void;
  readonly onSaved: (edited: EntryWire) => void;
}

export function PreviewSide({ opened, window, onClose, onSaved }: PreviewSideProps) {
  const entry = shownVersion(opened, window);
  const places = codeIn(answerTexts(entry.message));
  const at = codeOfVersion(opened, places);
  const block = places[at];
  const shown = at === -1 && entry.message.id === opened.entry.message.id ? opened : block;
  const [editedId, setEditedId] = useState<string | null>(null);
  const isInChat = useIsEditedAt("chat", entry.message.id);
  if (editedId !== null && (isInChat || editedId !== entry.message.id)) setEditedId(null);
  const canEdit = block !== undefined && isEditableAnswer(entry);
  const isEditing = editedId === entry.message.id && block !== undefined;
  const place = useFocusInside(isEditing);
  useEscape(place, () => (isEditing ? setEditedId(null) : onClose()));
  return (
    <section
      ref={place}
      tabIndex={-1}
      aria-label="Preview"
      className="flex h-full min-w-0 flex-col outline-none"
    >
      <CodeHead
        language={opened.language}
        shown={shown}
        versions={<SiblingSwitcher isStored siblings={entry.siblings} parentId={entry.parentId} />}
        edit={
          canEdit &&
          !isInChat &&
          !isEditing && (
            <IconButton label="Edit code" onClick={() => setEditedId(entry.message.id)}>
              <Pencil aria-hidden />
            </IconButton>
          )
        }
        onClose={onClose}
      />
      {canEdit && isInChat && (
        <p className="px-5 py-2 text-muted text-sm">
          You're editing this answer in the chat. Save or cancel it there to edit the code here.
        </p>
      )}
      {isEditing ? (
        <CodeEditor
          key={entry.message.id}
          entry={entry}
          place={block}
          at={at}
          onDone={(edited) => {
            setEditedId(null);
            if (edited) onSaved(edited);
          }}
        />
      ) : shown ? (
        <ShownCode key={shown.code} shown={shown} />
      ) : (
        <p className="p-5 text-muted text-sm">This version has no such code.</p>
      )}
    </section>
  );
}

interface CodeEditorProps {
  readonly entry: EntryWire;
  readonly place: CodePlace;
  readonly at: number;
  readonly onDone: (edited?: EntryWire) => void;
}

/** Saves a version in which this code alone differs, with the draft of the whole answer. */
function CodeEditor({ entry, place, at, onDone }: CodeEditorProps) {
  const edit = useAnswerEdit(entry, onDone);
  const { texts, onText } = edit;
  const originals = answerTexts(entry.message);
  const code = codeIn(texts)[at]?.code ?? "";
  const changed = (text: string) => withCode(originals[place.textAt] ?? "", place, text);
  const isOwn = texts.every(
    (text, textAt) =>
      text === originals[textAt] || (textAt === place.textAt && text === changed(code)),
  );
  useOpenEditor(entry.message.id, isOwn ? "beside" : null);
  if (!isOwn) {
    return (
      <p className="p-5 text-muted text-sm">
        You have an unsaved edit of this answer. Save or cancel it in the chat first.
      </p>
    );
  }
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-2 p-4">
      <Textarea
        aria-label="Code"
        autoFocus
        spellCheck={false}
        className="min-h-0 flex-1 font-mono text-sm"
        value={code}
        onChange={({ target }) => onText(place.textAt, changed(target.value))}
      />
      <CancelAndSave {...edit} />
    </div>
  );
}

function useEscape(place: RefObject<HTMLElement | null>, act: () => void): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    const { target } = event;
    const isInside = target instanceof Node && place.current?.contains(target) === true;
    const isComposer = target instanceof Element && target.matches("[data-composer-input]");
    if (!isInside && !isComposer && isTyping(target)) return;
    if (!isInside && document.querySelector('[role="dialog"], [role="menu"]')) return;
    event.preventDefault();
    act();
  });
  useEffect(() => {
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, []);
}

function useFocusInside(isEditing: boolean): RefObject<HTMLElement | null> {
  const place = useRef<HTMLElement>(null);
  const wasEditing = useRef(isEditing);
  useEffect(() => {
    if (wasEditing.current && !isEditing) place.current?.focus({ preventScroll: true });
    wasEditing.current = isEditing;
  }, [isEditing]);
  useEffect(() => {
    const opener = document.activeElement;
    // A sheet moves the focus automatically.
    if (place.current?.closest("[role=dialog]")) return;
    place.current?.focus({ preventScroll: true });
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
      else focusComposer();
    };
  }, []);
  return place;
}
