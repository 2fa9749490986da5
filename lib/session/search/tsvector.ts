import { quoteLexeme } from "./lexeme";
import { type Token, tokenize } from "./tokenize";

/** Increased whenever the same text gives other terms, so that storage rebuilds its index. */
export const analysisVersion = 2;

/** In UTF-16 units; the rest of a text is not searchable. */
export const maxSearchableLength = 200_000;

// Postgres keeps positions in 14 bits, 255 per lexeme, and refuses a vector of 1 MiB. The literal
// is never shorter than the stored form, so bounding it bounds the vector.
const maxPosition = 16_383;
const maxPositionsPerTerm = 255;
const maxLiteralBytes = 800_000;
const bytesPerPosition = 6;

/**
 * A text as a Postgres `tsvector` literal: `'deploy':1,4 'friday':2`. Never refused by Postgres; the end of a very
 * long text is dropped.
 *
 * @see https://www.postgresql.org/docs/current/textsearch-limitations.html
 */
export function toTsvector(text: string): string {
  let literal = "";
  for (const { quoted, places } of lexemesOf(tokenize(text.slice(0, maxSearchableLength)))) {
    literal += `${literal === "" ? "" : " "}${quoted}:${places}`;
  }
  return literal;
}

interface Lexeme {
  readonly quoted: string;
  places: string;
  count: number;
  last: number;
}

function lexemesOf(tokens: readonly Token[]): Iterable<Lexeme> {
  const lexemes = new Map<string, Lexeme>();
  let bytes = 0;
  for (const token of tokens) {
    const lexeme = lexemes.get(token.term);
    const position = Math.min(token.position + 1, maxPosition);
    if (lexeme && (lexeme.count >= maxPositionsPerTerm || lexeme.last === position)) continue;
    const quoted = lexeme?.quoted ?? quoteLexeme(token.term);
    bytes += bytesPerPosition + (lexeme ? 0 : utf8Length(quoted) + 2);
    if (bytes > maxLiteralBytes) break;
    if (lexeme) {
      lexeme.places += `,${position}`;
      lexeme.count++;
      lexeme.last = position;
    } else lexemes.set(token.term, { quoted, places: String(position), count: 1, last: position });
  }
  return lexemes.values();
}

/** Encoding text to count its bytes takes ten times as long. */
function utf8Length(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    const isSurrogate = code >= 0xd800 && code <= 0xdfff;
    if (code >= 0x80) bytes += code < 0x800 || isSurrogate ? 1 : 2;
  }
  return bytes;
}
