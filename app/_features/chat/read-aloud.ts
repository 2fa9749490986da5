"use client";

import { plainMarkdown } from "grove-session/browser";
import { toastError } from "@/app/_api/toast-error";
import { createStore, useStore } from "@/app/_ui/store";

const readId = createStore<string | null>(null);

export function useReadId(): string | null {
  return useStore(readId);
}

export function canReadAloud(): boolean {
  return typeof window !== "undefined" && "speechSynthesis" in window;
}

export function stopReading(): void {
  window.speechSynthesis.cancel();
  readId.update(() => null);
}

/** Voices that are not of this device send the text to their maker. */
export async function readAloud(messageId: string, markdown: string): Promise<void> {
  stopReading();
  const pieces = spokenPieces(markdown);
  const voice = bestVoice(await localVoices(), document.documentElement.lang);
  if (!voice) {
    toastError("This device has no voice of its own for reading aloud, and Grove uses no other.");
    return;
  }
  if (pieces.length === 0) {
    toastError("There is nothing to read aloud in this answer.");
    return;
  }
  readId.update(() => messageId);
  pieces.forEach((piece, index) => {
    const utterance = new SpeechSynthesisUtterance(piece);
    utterance.voice = voice;
    utterance.lang = voice.lang;
    const end = () => readId.update((now) => (now === messageId ? null : now));
    if (index === pieces.length - 1) utterance.onend = end;
    utterance.onerror = ({ error }) => {
      end();
      if (error !== "canceled" && error !== "interrupted")
        toastError("Reading aloud failed. Try again.");
    };
    window.speechSynthesis.speak(utterance);
  });
}

const voicesWaitMs = 1_000;

/** Browsers list voices only after a while. */
async function localVoices(): Promise<readonly SpeechSynthesisVoice[]> {
  const { speechSynthesis } = window;
  if (speechSynthesis.getVoices().length === 0) {
    await new Promise<void>((resolve) => {
      speechSynthesis.addEventListener("voiceschanged", () => resolve(), { once: true });
      setTimeout(resolve, voicesWaitMs);
    });
  }
  return speechSynthesis.getVoices().filter(({ localService }) => localService);
}

export function bestVoice<Voice extends Pick<SpeechSynthesisVoice, "lang" | "default">>(
  voices: readonly Voice[],
  language: string,
): Voice | null {
  const speaking = voices.filter(({ lang }) => lang.toLowerCase().startsWith(language));
  return (
    speaking.find((voice) => voice.default) ??
    speaking[0] ??
    voices.find((voice) => voice.default) ??
    voices[0] ??
    null
  );
}

/** Limit in characters: long utterances break off in some browsers. */
const longestPiece = 220;

export function spokenPieces(markdown: string): readonly string[] {
  const withoutCode = markdown.replace(/^(```|~~~)[\s\S]*?(^\1|$(?![\s\S]))/gm, "\n");
  const words = plainMarkdown(withoutCode)
    .replace(/<\/?[a-z][^<>\n]*>/gi, " ")
    .replace(/^[ \t]*\d+\.[ \t]+/gm, "")
    .replace(/[*_`~|#]+|(?<= )·(?= )/g, " ");
  return words
    .split(/\n+/)
    .flatMap(
      (line) =>
        line
          .replace(/\s+/g, " ")
          .trim()
          .match(/[^.!?]+[.!?]*\s*/g) ?? [],
    )
    .flatMap((sentence) => cut(sentence.trim()))
    .filter((piece) => /[\p{L}\p{N}]/u.test(piece));
}

function cut(sentence: string): string[] {
  const pieces: string[] = [];
  let rest = sentence;
  while (rest.length > longestPiece) {
    const space = rest.lastIndexOf(" ", longestPiece);
    const end = space > 0 ? space : longestPiece;
    pieces.push(rest.slice(0, end));
    rest = rest.slice(end).trim();
  }
  return [...pieces, rest];
}
