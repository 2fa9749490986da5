import type { PreviewOptions } from "@/app/_message/chat-session-context";
import { fenceAt, isClosingFence } from "@/app/_ui/markdown/fence";
import type { OpenedBlock, OpenedCode } from "@/app/_ui/preview/open-preview";
import type { EntryWire } from "@/lib/chat/wire/messages";
import { answerTexts } from "./answer-texts";
import type { LoadedTranscript } from "./transcript-window";

export interface CodePlace extends OpenedCode {
  /** The text of the answer that holds it. */
  readonly textAt: number;
  readonly marks: string;
  readonly info: string;
  /** Offsets of its fences in that text. */
  readonly from: number;
  readonly to: number;
}

/** Closed blocks of code, but for those inside lists and quotes. */
export function codeIn(texts: readonly string[]): readonly CodePlace[] {
  return texts.flatMap(codeInText);
}

function codeInText(text: string, textAt: number): CodePlace[] {
  const places: CodePlace[] = [];
  let open: Pick<CodePlace, "from" | "marks" | "info"> | null = null;
  let from = 0;
  for (const line of text.split("\n")) {
    const to = from + line.length;
    if (open && isClosingFence(line, open.marks)) {
      const begin = open.from + open.marks.length + open.info.length + 1;
      const code = text.slice(begin, Math.max(begin, from - 1)).replace(/\r\n?/g, "\n");
      const language = open.info.trim().split(/\s/)[0] ?? "";
      places.push({ ...open, textAt, to, code, language });
      open = null;
    } else if (!open) {
      const marks = fenceAt(line);
      if (marks) open = { from, marks, info: line.slice(marks.length) };
    }
    from = to + 1;
  }
  return places;
}

/** Fences grow where the code has such marks itself. */
export function withCode(text: string, { from, to, marks, info }: CodePlace, code: string): string {
  const own = [...code.matchAll(/^\s*(`+|~+)/gm)].map(([, run = ""]) => run.length);
  const fence = (marks[0] ?? "`").repeat(Math.max(marks.length, ...own.map((each) => each + 1)));
  return `${text.slice(0, from)}${fence}${info.trimEnd()}\n${code}\n${fence}${text.slice(to)}`;
}

export interface OpenedPreview extends OpenedCode {
  readonly entry: EntryWire;
  /** Its place among the blocks of code of the answer; -1 inside a list or quote. */
  readonly at: number;
  /** It stands beside the answers of other models, none of which is a version of it until one is kept. */
  readonly isOneOfSeveral: boolean;
}

export function openedPreview(
  entry: EntryWire,
  { code, language, place, count }: OpenedBlock,
  { isOneOfSeveral = false }: PreviewOptions = {},
): OpenedPreview {
  const places = codeIn(answerTexts(entry.message));
  const equal = [...places.keys()].filter(
    (at) => places[at]?.code === code && places[at]?.language === language,
  );
  // A page that shows other blocks than the text holds cannot tell equal ones apart.
  const [only = -1, ...others] = equal;
  const isThere = count === places.length && equal.includes(place);
  const found = isThere ? place : others.length === 0 ? only : -1;
  return { entry, code, language, at: place === -1 ? -1 : found, isOneOfSeveral };
}

/** The version of the answer that is shown now. */
export function shownVersion(
  { entry, isOneOfSeveral }: Pick<OpenedPreview, "entry" | "isOneOfSeveral">,
  { entries }: Pick<LoadedTranscript, "entries">,
): EntryWire {
  const question = entries.find(({ message }) => message.id === entry.parentId);
  if (isOneOfSeveral && question?.message.metadata?.kept === undefined) return entry;
  const isVersion = ({ parentId, message }: EntryWire) =>
    parentId === entry.parentId && message.role === "assistant";
  return entries.find(isVersion) ?? entry;
}

/** The same block of another version: that at its place, or else the first in its language. */
export function codeOfVersion(
  { at, language }: Pick<OpenedPreview, "at" | "language">,
  places: readonly CodePlace[],
): number {
  if (at === -1) return -1;
  return places[at]?.language === language
    ? at
    : places.findIndex((place) => place.language === language);
}
