import { formatCount } from "@/app/_ui/format-amount";

export const MAX_MESSAGE_LENGTH = 200_000;

export interface CleanedText {
  readonly text: string;
  readonly replaced: number;
}

/** Control characters become control pictures (U+2400 …), lone surrogates U+FFFD, line ends LF. */
export function cleanText(raw: string): CleanedText {
  let replaced = 0;
  const text = raw
    .replace(/\r\n?/g, "\n")
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this looks for
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, (character) => {
      replaced += 1;
      return character === "\u007f"
        ? "\u2421"
        : String.fromCharCode(0x2400 + character.charCodeAt(0));
    })
    .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, () => {
      replaced += 1;
      return "\ufffd";
    });
  return { text, replaced };
}

export function textProblem(text: string): string | null {
  if (text.length <= MAX_MESSAGE_LENGTH) return null;
  const over = formatCount(text.length - MAX_MESSAGE_LENGTH);
  return `Messages are limited to 200,000 characters. This one is ${over} too long.`;
}

export function replacedWords(replaced: number): string | null {
  if (replaced === 0) return null;
  if (replaced === 1) return "1 invisible character was made visible.";
  return `${formatCount(replaced)} invisible characters were made visible.`;
}
