import { preloadable } from "@/app/_ui/preloadable";
import { createStore } from "@/app/_ui/store";

/** TypeScript does not describe the browser's speech recognition. */
export interface Recognition {
  lang: string;
  continuous: boolean;
  interimResults: boolean;
  onresult: ((event: RecognitionEvent) => void) | null;
  onerror: ((event: { readonly error: string }) => void) | null;
  onend: (() => void) | null;
  start(): void;
  stop(): void;
  abort(): void;
}

interface RecognitionEvent {
  readonly resultIndex: number;
  readonly results: ArrayLike<ArrayLike<{ readonly transcript: string }> & { isFinal: boolean }>;
}

type RecognitionClass = new () => Recognition;

export function recognitionOf(scope: object): RecognitionClass | null {
  for (const name of ["SpeechRecognition", "webkitSpeechRecognition"]) {
    const found: unknown = Reflect.get(scope, name);
    if (typeof found === "function") return found as RecognitionClass;
  }
  return null;
}

/** Consent is given once per device: the browser may send speech to its maker. */
export const dictationConsent = createStore(false, {
  name: "dictation",
  parse: (stored) => (typeof stored === "boolean" ? stored : null),
  serialize: (isGiven) => isGiven || null,
});

export interface Heard {
  readonly said: string;
  readonly interim: string;
}

export function heardIn({ resultIndex, results }: RecognitionEvent): Heard {
  const news = Array.from(results).slice(resultIndex);
  const words = (isFinal: boolean) =>
    news
      .filter((result) => result.isFinal === isFinal)
      .map((result) => result[0]?.transcript ?? "")
      .join("");
  return { said: words(true), interim: words(false) };
}

export interface Selection {
  readonly start: number;
  readonly end: number;
}

export function withSaid(
  text: string,
  { start, end }: Selection,
  words: string,
): { readonly text: string; readonly caret: number } {
  const said = words.trim();
  const [before, after] = [text.slice(0, start), text.slice(end)];
  const isApart = before === "" || /[\s([{“"'«¿¡]$/.test(before) || /^[,.;:!?)\]}]/.test(said);
  const lead = said === "" || isApart ? "" : " ";
  const trail = said === "" || after === "" || /^[\s,.;:!?)\]}]/.test(after) ? "" : " ";
  const written = `${before}${lead}${said}`;
  return { text: `${written}${trail}${after}`, caret: written.length };
}

const refused =
  "Your browser refused the microphone. Allow it for this page in the browser's settings, then try again.";

const problems: Readonly<Record<string, string | null>> = {
  aborted: null,
  "no-speech": "Nothing was heard. Try again.",
  "audio-capture": "No microphone was found. Connect one, then try again.",
  "not-allowed": refused,
  "service-not-allowed": refused,
  network: "Your browser's speech recognition can't be reached. Check your network.",
  "language-not-supported": "Your browser's speech recognition doesn't know your language.",
};

export function dictationProblem(error: string): string | null {
  const known = problems[error];
  return known === undefined ? "Dictation failed. Try again, or type." : known;
}

export const missingEngine = "This browser can't dictate. Type, or use another browser.";

export const consentPart = preloadable(() =>
  import("./dictation-consent").then((part) => part.ConsentDialog),
);
