import type { PreviewOptions } from "@/app/_message/chat-session-context";
import { fenceAt, isClosingFence } from "@/app/_ui/markdown/fence";
import type { OpenedBlock, OpenedCode } from "@/app/_ui/preview/open-preview";
import type { EntryWire } from "@/lib/chat/wire/messages";
import { answerTexts } from "./answer-texts";
import type { LoadedTranscript } from "./transcript-window";

export interface CodePlace extends OpenedCode {
  readonly textAt: number;
  readonly marks: string;
  readonly info: string;
  /** Marks of quotes and indents of lists that begin its further lines. */
  readonly prefix: string;
  readonly from: number;
  readonly to: number;
}

export function codeIn(texts: readonly string[]): readonly CodePlace[] {
  return texts.flatMap(codeInText);
}

interface OpenFence extends Pick<CodePlace, "from" | "marks" | "info" | "prefix"> {
  readonly isInList: boolean;
  readonly lines: string[];
}

function codeInText(text: string, textAt: number): CodePlace[] {
  const places: CodePlace[] = [];
  let open: OpenFence | null = null;
  let isInList = false;
  let from = 0;
  for (const line of text.split("\n")) {
    const to = from + line.length;
    const inside: string | null = open && withoutPrefix(line, open);
    if (open && inside !== null && isClosingFence(inside, open.marks)) {
      const { lines, isInList: _, ...place } = open;
      const code = lines.join("\n").replace(/\r\n?/g, "\n");
      places.push({ ...place, textAt, to, code, language: place.info.trim().split(/\s/)[0] ?? "" });
      open = null;
    } else if (open && inside !== null) open.lines.push(inside);
    else {
      open = fenceOpenedBy(line, { from, isInList });
      if (line.trim() !== "") isInList = isListLine(line, isInList);
    }
    from = to + 1;
  }
  return places;
}

const containers = /^(?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t])))*[ \t]*/;

function fenceOpenedBy(
  line: string,
  { from, isInList }: Pick<OpenFence, "from" | "isInList">,
): OpenFence | null {
  const [before = ""] = containers.exec(line) ?? [];
  const marks = fenceAt(line.slice(before.length));
  // Without a list such a line is code by its indent.
  if (!marks || (!isInList && /^(?: {4}|\t)/.test(before))) return null;
  return {
    from: from + before.length,
    marks,
    info: line.slice(before.length + marks.length),
    prefix: before.replace(/[^>\t]/g, " "),
    isInList: isListLine(line, isInList),
    lines: [],
  };
}

function isListLine(line: string, wasListLine: boolean): boolean {
  const [before = ""] = containers.exec(line) ?? [];
  return /[^>\s]/.test(before) || (wasListLine && /^\s/.test(line));
}

/** Returns `null` for a line that ends the quote or list. */
function withoutPrefix(line: string, { prefix, isInList }: OpenFence): string | null {
  let at = 0;
  for (const sign of prefix) {
    if (line[at] === sign) at += 1;
    else if (sign === ">") return null;
  }
  return isInList && at === 0 && line.trim() !== "" ? null : line.slice(at);
}

/** Fences grow where the code has such marks itself. */
export function withCode(text: string, place: CodePlace, code: string): string {
  const { from, to, marks, info, prefix } = place;
  const own = [...code.matchAll(/^\s*(`+|~+)/gm)].map(([, run = ""]) => run.length);
  const fence = (marks[0] ?? "`").repeat(Math.max(marks.length, ...own.map((each) => each + 1)));
  const begun = (line: string) => (line === "" ? prefix.trimEnd() : `${prefix}${line}`);
  const lines = [...code.split("\n"), fence].map(begun);
  return `${text.slice(0, from)}${fence}${info.trimEnd()}\n${lines.join("\n")}${text.slice(to)}`;
}

export interface OpenedPreview extends OpenedCode {
  readonly entry: EntryWire;
  /** Place among the answer's blocks; -1 where equal ones leave it open. */
  readonly at: number;
  /** None of several models' answers is a version until one is kept. */
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
  return { entry, code, language, at: found, isOneOfSeveral };
}

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

/** Takes the block at its place, or else the first in its language. */
export function codeOfVersion(
  { at, language }: Pick<OpenedPreview, "at" | "language">,
  places: readonly CodePlace[],
): number {
  if (at === -1) return -1;
  return places[at]?.language === language
    ? at
    : places.findIndex((place) => place.language === language);
}
