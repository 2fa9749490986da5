import type { ToolSet } from "ai";
import { isToolPart, type SessionMessage, type SessionMessagePart, toolNameOf } from "../message";
import type { MaybePromise } from "../session-provider";

export type TokenCounter = (messages: readonly SessionMessage[]) => MaybePromise<number>;

const charactersPerToken = 4;
const tokensPerWord = 1.3;
const tokensPerMessage = 4;
const tokensPerImage = 1_000;
const tokensPerFile = 2_000;

const tokensPerWideCharacter = 1;
const tokensPerEmoji = 2;
const wide =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}\u3000-\u303f\uff00-\uffef]/gu;
const emoji = /\p{Extended_Pictographic}/gu;

/**
 * A quarter of the characters or 1.3 times the words, whichever is more, rounded up. Unspaced scripts count one token
 * per character and emoji two.
 */
export function estimateStringTokens(text: string): number {
  const asciiWords = countAsciiWords(text);
  if (asciiWords !== null) return Math.ceil(spacedTokens(text.length, asciiWords));
  const wideCharacters = text.match(wide)?.length ?? 0;
  const pictures = text.match(emoji)?.length ?? 0;
  const spaced =
    wideCharacters + pictures === 0 ? text : text.replace(wide, " ").replace(emoji, " ");
  const words = spaced.match(/\S+/g)?.length ?? 0;
  const characters = spaced.length - wideCharacters - pictures;
  return Math.ceil(
    spacedTokens(characters, words) +
      wideCharacters * tokensPerWideCharacter +
      pictures * tokensPerEmoji,
  );
}

function spacedTokens(characters: number, words: number): number {
  return Math.max(characters / charactersPerToken, words * tokensPerWord);
}

const pieceLength = 4_096;
const piece = new Uint8Array(pieceLength);
const encoder = new TextEncoder();
const isSpace = Uint8Array.from({ length: 128 }, (_, code) =>
  code === 0x20 || (code >= 0x09 && code <= 0x0d) ? 1 : 0,
);

/**
 * `null`: not plain. Counting bytes without branches takes a quarter of the time of a loop over characters: a history
 * is counted before every call, and most texts are plain.
 */
function countAsciiWords(text: string): number | null {
  let words = 0;
  let before = 1;
  for (let from = 0; from < text.length; from += pieceLength) {
    const part = text.slice(from, from + pieceLength);
    const { read, written } = encoder.encodeInto(part, piece);
    if (read !== part.length || written !== read) return null;
    for (let index = 0; index < written; index++) {
      const space = isSpace[piece[index] ?? 0] ?? 0;
      words += before & (space ^ 1);
      before = space;
    }
  }
  return words;
}

/** Four tokens per message, plus its parts. */
export function estimateMessageTokens(messages: readonly SessionMessage[]): number {
  return messages.reduce((sum, message) => {
    return message.parts.reduce(
      (tokens, part) => tokens + partTokens(part),
      sum + tokensPerMessage,
    );
  }, 0);
}

function partTokens(part: SessionMessagePart): number {
  if (isToolPart(part)) {
    const results = jsonTokens(part.output) + jsonTokens(part.errorText);
    return estimateStringTokens(toolNameOf(part)) + jsonTokens(part.input) + results;
  }
  if (part.type === "file") return fileTokens(part);
  return typeof part.text === "string" ? estimateStringTokens(part.text) : 0;
}

function fileTokens({ tokens, mediaType }: SessionMessagePart): number {
  if (typeof tokens === "number" && tokens >= 0) return tokens;
  return isImage(mediaType) ? tokensPerImage : tokensPerFile;
}

function isImage(mediaType: unknown): boolean {
  return typeof mediaType === "string" && mediaType.startsWith("image/");
}

function jsonTokens(value: unknown): number {
  if (value === undefined) return 0;
  return estimateStringTokens(typeof value === "string" ? value : (JSON.stringify(value) ?? ""));
}

/** Counts names, descriptions and schemas. */
export async function estimateToolTokens(tools: ToolSet): Promise<number> {
  if (Object.keys(tools).length === 0) return 0;
  // Takes longer to load than the whole library.
  const { asSchema } = await import("ai");
  const counts = Object.entries(tools).map(async ([name, tool]) => {
    const schema = await asSchema(tool.inputSchema).jsonSchema;
    const description = typeof tool.description === "string" ? tool.description : "";
    return estimateStringTokens(`${name} ${description} ${JSON.stringify(schema)}`);
  });
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}
