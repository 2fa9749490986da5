"use client";

import { Mic, MicOff } from "lucide-react";
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { toastError } from "@/app/_api/toast-error";
import { IconButton } from "@/app/_ui/button";
import { MenuItem } from "@/app/_ui/menu";
import { useStore } from "@/app/_ui/store";
import {
  consentPart,
  dictationConsent,
  dictationProblem,
  heardIn,
  missingEngine,
  type Recognition,
  recognitionOf,
  withSaid,
} from "./dictation";

export interface DictatingOptions {
  readonly field: RefObject<HTMLTextAreaElement | null>;
  /** `null` until the page is in a browser. */
  readonly place: HTMLElement | null;
  readonly onText: (text: string) => void;
}

export interface Dictating {
  readonly isOffered: boolean;
  readonly isListening: boolean;
  readonly toggle: () => void;
  readonly notes: ReactNode;
}

export function useDictating({ field, place, onText }: DictatingOptions): Dictating {
  const isAllowed = useStore(dictationConsent);
  const [isAsking, setIsAsking] = useState(false);
  const [hasAsked, setHasAsked] = useState(false);
  const { isListening, interim, problem, start, stop } = useDictation({ field, onText });
  function toggle() {
    if (isListening) stop();
    else if (isAllowed) start();
    else void ask();
  }

  async function ask() {
    await consentPart.preload();
    if (!consentPart.isLoaded())
      return toastError(
        "Dictation could not be loaded. Reload the page once Grove can be reached.",
      );
    setHasAsked(true);
    setIsAsking(true);
  }

  function allow() {
    dictationConsent.update(() => true);
    setIsAsking(false);
    start();
  }

  const notes = (
    <>
      {place && createPortal(<Hearing {...{ isListening, interim, problem }} />, place)}
      {hasAsked && (
        <consentPart.Component
          isOpen={isAsking}
          onClose={() => setIsAsking(false)}
          onAllow={allow}
          onClosed={(event) => {
            if (!dictationConsent.read()) return;
            event.preventDefault();
            field.current?.focus();
          }}
        />
      )}
    </>
  );
  const isOffered = place !== null && recognitionOf(window) !== null;
  return { isOffered, isListening, toggle, notes };
}

export function DictateButton({ isListening, toggle }: Dictating) {
  return (
    <IconButton
      label={isListening ? "Stop dictating" : dictate}
      aria-pressed={isListening}
      tooltip="top"
      className={isListening ? "" : "max-sm:hidden"}
      onClick={toggle}
    >
      {isListening ? (
        <MicOff aria-hidden className="animate-breathe text-accent" />
      ) : (
        <Mic aria-hidden />
      )}
    </IconButton>
  );
}

export function DictateItem({ toggle }: Dictating) {
  return (
    <MenuItem icon={<Mic aria-hidden />} onSelect={toggle}>
      {dictate}
    </MenuItem>
  );
}

const dictate = "Dictate";

interface HearingProps {
  readonly isListening: boolean;
  readonly interim: string;
  readonly problem: string | null;
}

function Hearing({ isListening, interim, problem }: HearingProps) {
  if (problem !== null)
    return (
      <p role="alert" className="px-4 pb-1 text-danger text-sm">
        {problem}
      </p>
    );
  if (!isListening) return null;
  return (
    <p className="px-4 pb-1 text-muted text-sm">
      <span role="status">Listening…</span>{" "}
      {interim !== "" && (
        <span dir="auto" className="wrap-anywhere text-faint italic">
          {interim}
        </span>
      )}
    </p>
  );
}

function useDictation({ field, onText }: Pick<DictatingOptions, "field" | "onText">) {
  const [isListening, setIsListening] = useState(false);
  const [interim, setInterim] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const engine = useRef<Recognition | null>(null);

  const write = useEffectEvent((said: string) => {
    const { current } = field;
    if (!current || said.trim() === "") return;
    const selection = { start: current.selectionStart, end: current.selectionEnd };
    const { text, caret } = withSaid(current.value, selection, said);
    onText(text);
    // The text is in the field after the next render.
    requestAnimationFrame(() => current.setSelectionRange(caret, caret));
  });

  function end() {
    engine.current = null;
    setIsListening(false);
    setInterim("");
  }

  function start() {
    const Engine = recognitionOf(window);
    setProblem(null);
    if (!Engine) return setProblem(missingEngine);
    const recognition = new Engine();
    recognition.lang = navigator.language;
    recognition.continuous = true;
    recognition.interimResults = true;
    recognition.onresult = (event) => {
      const heard = heardIn(event);
      write(heard.said);
      setInterim(heard.interim);
    };
    recognition.onerror = ({ error }) => setProblem(dictationProblem(error));
    recognition.onend = end;
    try {
      recognition.start();
    } catch {
      return setProblem(missingEngine);
    }
    engine.current = recognition;
    setIsListening(true);
    field.current?.focus();
  }

  useEffect(() => () => engine.current?.abort(), []);
  return { isListening, interim, problem, start, stop: () => engine.current?.stop() };
}
