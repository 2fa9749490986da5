export interface OpeningBlocks {
  readonly blocks: readonly { readonly name: string; readonly text: string }[];
  /** The text after them; without any, the whole text. */
  readonly rest: string;
}

// A name of several words is none of HTML's elements.
const openingTag = /^\s*<([a-z][a-z0-9]*(?:[-_][a-z0-9]+)+)(?:\s[^<>]*)?>/i;

const mostBlocks = 50;

/** Finds blocks such as `<system-reminder>…</system-reminder>` before a person's words. */
export function openingBlocks(text: string): OpeningBlocks {
  const blocks: { name: string; text: string }[] = [];
  let rest = text;
  for (let tag = openingTag.exec(rest); tag; tag = openingTag.exec(rest)) {
    if (blocks.length >= mostBlocks) break;
    const [opening, name = ""] = tag;
    const closing = `</${name}>`;
    const end = rest.indexOf(closing, opening.length);
    if (end === -1) break;
    blocks.push({ name, text: rest.slice(opening.length, end).trim() });
    rest = rest.slice(end + closing.length);
  }
  return { blocks, rest: blocks.length === 0 ? text : rest.trimStart() };
}

/** The words after the opening blocks; of blocks alone, the last one's. */
export function wordsAfterBlocks(text: string): string {
  const { blocks, rest } = openingBlocks(text);
  return rest.trim() === "" ? (blocks.at(-1)?.text ?? rest) : rest;
}
