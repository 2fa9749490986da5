const maxWordBytes = 45;

/**
 * An `x-amz-meta-` header is ASCII: other characters become encoded words, as in S3 itself.
 *
 * @see https://www.rfc-editor.org/rfc/rfc2047
 */
export function encodeMetadata(text: string): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, " ").trim();
  if (/^[\x20-\x7e]*$/.test(line) && !line.includes("=?")) return line;
  return words(line)
    .map((word) => `=?UTF-8?B?${Buffer.from(word).toString("base64")}?=`)
    .join(" ");
}

export function decodeMetadata(value: string): string {
  const text = value
    .replace(/(=\?utf-8\?[bq]\?[^?]*\?=)\s+(?==\?utf-8\?[bq]\?)/gi, "$1")
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, form: string, content: string) =>
      form.toLowerCase() === "b"
        ? Buffer.from(content, "base64").toString("utf8")
        : fromQuoted(content),
    );
  return (text === value ? rawUtf8(value) : null) ?? text;
}

function words(line: string): string[] {
  const found: string[] = [];
  let word = "";
  for (const character of line) {
    if (Buffer.byteLength(word + character) > maxWordBytes) {
      found.push(word);
      word = "";
    }
    word += character;
  }
  return [...found, word];
}

function fromQuoted(content: string): string {
  const bytes = content
    .replaceAll("_", " ")
    .replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}

/** Headers arrive as Latin-1; `null` when the bytes are not UTF-8, or all ASCII. */
function rawUtf8(value: string): string | null {
  if (!/^[\0-\xff]*[\x80-\xff][\0-\xff]*$/.test(value)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(value, "latin1"));
  } catch {
    return null;
  }
}
