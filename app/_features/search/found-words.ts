import { useEffect } from "react";
import type { SearchCursor } from "@/app/_data/search/search-cursor";
import { beginHighlight } from "@/app/_ui/text-highlight";
import type { SnippetWire } from "@/lib/chat/wire/search";

interface WordForms {
  readonly words: ReadonlySet<string>;
  /** Signs, and words of scripts without spaces, as they are written. */
  readonly pieces: ReadonlySet<string>;
}

export function formsIn(snippets: readonly SnippetWire[]): WordForms {
  const marked = snippets.flatMap(({ text, marks }) =>
    marks.map(([start, end]) => text.slice(start, end)).filter((form) => form !== ""),
  );
  const { words = [], pieces = [] } = Object.groupBy(marked, (form) =>
    spacedWord.test(form) ? "words" : "pieces",
  );
  return { words: new Set(words.map(folded)), pieces: new Set(pieces) };
}

/** Places as [start, end), also of forms with another ending. */
export function placesOf({ words, pieces }: WordForms, text: string): [number, number][] {
  const places: [number, number][] = [];
  for (const { 0: word, index } of text.matchAll(anyWord))
    if (isForm(folded(word), words)) places.push([index, index + word.length]);
  for (const piece of pieces)
    for (let at = text.indexOf(piece); at >= 0; at = text.indexOf(piece, at + piece.length))
      places.push([at, at + piece.length]);
  return places;
}

const anyWord = /[\p{L}\p{N}\p{M}]+/gu;
const spacedWord =
  /^(?!.*[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}])[\p{L}\p{N}\p{M}]+$/u;

function folded(word: string): string {
  return word.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

const shortestStem = 4;
const longestEnding = 3;

function isForm(word: string, forms: ReadonlySet<string>): boolean {
  if (forms.has(word)) return true;
  return [...forms].some((form) => {
    const [stem = "", long = ""] = [form, word].toSorted((a, b) => a.length - b.length);
    const ending = long.length - stem.length;
    return stem.length >= shortestStem && ending <= longestEnding && long.startsWith(stem);
  });
}

const mostPlaces = 2_000;
/** All texts are read each time, also while an answer is written. */
const betweenMarksMs = 100;

export function useFoundWords({ hits }: Pick<SearchCursor, "hits">): void {
  useEffect(() => {
    const highlight = beginHighlight("found-words");
    if (!highlight) return;
    const forms = formsIn(hits.map(({ snippet }) => snippet));
    let timer: ReturnType<typeof setTimeout> | undefined;
    const mark = () => {
      timer = undefined;
      const places = [...textsOfTranscript()].flatMap((text) => rangesIn(text, forms));
      highlight.ranges.clear();
      for (const place of places.slice(0, mostPlaces)) highlight.ranges.add(place);
    };
    const markSoon = () => {
      timer ??= setTimeout(mark, betweenMarksMs);
    };
    mark();
    const observer = new MutationObserver(markSoon);
    observer.observe(document.body, { childList: true, characterData: true, subtree: true });
    return () => {
      observer.disconnect();
      clearTimeout(timer);
      highlight.end();
    };
  }, [hits]);
}

function* textsOfTranscript(): Generator<Text> {
  const transcript = document.querySelector('[aria-label="Conversation"]');
  if (!transcript) return;
  const walker = document.createTreeWalker(transcript, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode as Text;
    if (!node.parentElement?.closest("button, style")) yield node;
  }
}

function rangesIn(text: Text, forms: WordForms): StaticRange[] {
  return placesOf(forms, text.data).map(([startOffset, endOffset]) => {
    return new StaticRange({ startContainer: text, startOffset, endContainer: text, endOffset });
  });
}
