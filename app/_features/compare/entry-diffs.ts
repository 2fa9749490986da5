import { diffArrays } from "diff";
import { plainMarkdown } from "grove-session/browser";
import { messageText } from "@/app/_data/chat/message-text";
import type { EntryWire, GroveMessage } from "@/lib/chat/wire/messages";

export function entryDiffs(
  left: readonly EntryWire[],
  right: readonly EntryWire[],
): readonly (WordDiff | "unlike" | null)[] {
  return left.map(({ message }, index) => {
    const other = right[index]?.message;
    if (!other || !answersSame(left, right, index)) return null;
    return wordDiff(readableText(message), readableText(other)) ?? "unlike";
  });
}

function readableText(message: GroveMessage): string {
  const text = messageText(message);
  return message.role === "user" ? text : plainMarkdown(text);
}

/**
 * The first messages follow the common ancestor; later ones answer the same only when the preceding questions are
 * identical.
 */
export function answersSame(
  left: readonly EntryWire[],
  right: readonly EntryWire[],
  index: number,
): boolean {
  const [ours, theirs] = [left[index]?.message, right[index]?.message];
  if (!ours || !theirs || ours.role !== theirs.role) return false;
  if (index === 0) return true;
  const [before, beside] = [left[index - 1]?.message, right[index - 1]?.message];
  const areQuestions = before?.role === "user" && beside?.role === "user";
  return areQuestions && messageText(before).trim() === messageText(beside).trim();
}

export interface DiffStretch {
  readonly text: string;
  readonly isOwn: boolean;
}

export interface WordDiff {
  readonly left: readonly DiffStretch[];
  readonly right: readonly DiffStretch[];
  readonly ownWords: number;
}

/** Words and spaces. More take over 150 ms of the page, and such texts rarely have enough in common. */
const mostEdits = 1_500;
/** Below this share of common words, nearly everything would be marked. */
const leastCommonShare = 0.2;

export function wordDiff(left: string, right: string): WordDiff | null {
  const words = { left: wordsOf(left), right: wordsOf(right) };
  const changes = diffArrays(words.left, words.right, { maxEditLength: mostEdits });
  if (!changes) return null;
  const common = changes
    .filter(({ added, removed }) => !added && !removed)
    .flatMap(({ value }) => value);
  const longest = Math.max(countWords(words.left), countWords(words.right));
  if (longest > 0 && countWords(common) / longest < leastCommonShare) return null;
  return {
    left: stretches(changes.filter(({ added }) => !added)),
    right: stretches(changes.filter(({ removed }) => !removed)),
    ownWords: countWords(
      changes.flatMap(({ value, added, removed }) => (added || removed ? value : [])),
    ),
  };
}

const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });

function wordsOf(text: string): string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

function countWords(words: readonly string[]): number {
  return words.filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

function stretches(
  changes: readonly { value: readonly string[]; added?: boolean; removed?: boolean }[],
): DiffStretch[] {
  const joined: DiffStretch[] = [];
  for (const { value, added, removed } of changes) {
    const next = { text: value.join(""), isOwn: Boolean(added || removed) };
    const [last, beforeLast] = [joined.at(-1), joined.at(-2)];
    if (next.isOwn && beforeLast?.isOwn && last?.text.trim() === "") {
      joined.splice(-2, 2, { text: beforeLast.text + last.text + next.text, isOwn: true });
    } else joined.push(next);
  }
  return joined;
}
