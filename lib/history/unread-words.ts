import { type ForeignChat, named } from "./foreign-chat";
import { splitReasoning } from "./open-webui";

export const unreadWords = "Words in fields that Grove does not read:";

/**
 * A product may keep words where it kept none before. A single word, or few letters of an unspaced script, could be an
 * id, and is ignored.
 */
export function unreadWordsIn(value: unknown, chat: ForeignChat): string | null {
  const kept = new Set<string>();
  const { title, tags, instructions, unshown, nodes } = chat;
  const read = [title, tags, instructions, unshown, nodes.map(({ parts }) => parts)];
  for (const [, text] of textsIn(read)) kept.add(text);
  let words: ReadonlySet<string> | null = null;
  const fields = new Set<string>();
  for (const [field, text] of textsIn(value)) {
    if (kept.has(text) || fields.has(field) || states.has(field)) continue;
    const isUnspaced = unspacedSentence.test(text);
    if (!isUnspaced && !/\S\s+\S/.test(text)) continue;
    words ??= new Set([...kept].flatMap(wordsOf));
    const said = wordsOf(plain(text));
    if ((isUnspaced || said.length > 1) && said.some((word) => !words?.has(word)))
      fields.add(field);
  }
  return fields.size === 0 ? null : `${unreadWords} ${named([...fields])}.`;
}

/** Fields about the export itself whose values have white space. */
const states = new Set(["exportAt"]);

function plain(text: string): string {
  const parts = text.includes("<details type=") ? splitReasoning(text) : [text];
  const texts = Array.from(textsIn(parts), ([, each]) => each);
  return texts.join(" ").replace(/\uE200[^\uE201]*\uE201/g, " ");
}

/** Letters of scripts without spaces between words, with their marks. */
const unspaced =
  "[\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}ー\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Mymr}\\p{sc=Tibt}]";
const unspacedSentence = new RegExp(`${unspaced}{5}`, "u");

// A longer word would overflow the stack.
const unspacedWords = new RegExp(`${unspaced}{2,1000}`, "gu");
const spacedWords = /[\p{L}\p{N}]{3,1000}/gu;

function wordsOf(text: string): string[] {
  const others = text.replace(unspacedWords, " ").match(spacedWords) ?? [];
  return [...(text.match(unspacedWords) ?? []), ...others];
}

function* textsIn(value: unknown): Generator<readonly [string, string]> {
  const waiting: [string, unknown][] = [["", value]];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [field, inner] = next;
    if (typeof inner === "string") yield [field, inner];
    else if (typeof inner === "object" && inner !== null)
      for (const [key, each] of Object.entries(inner))
        waiting.push([Array.isArray(inner) ? field : key, each]);
  }
}
