import { createHash } from "node:crypto";

/** File systems allow 255 bytes, of which a temporary file needs some. */
const longestName = 180;
const end = ".jsonl";

/**
 * Differs for different ids also where case is ignored: lower-case letters, digits, `-`, and each other byte as `_`
 * with two hexadecimal digits. A hash replaces a longer name.
 */
export function archiveName(sessionId: string): string {
  const bytes = [...new TextEncoder().encode(sessionId)];
  const escaped = bytes.map(escapedByte).join("");
  return `${escaped.length <= longestName ? escaped : `_${hashOf(sessionId)}`}${end}`;
}

/** `"hashed"` for a hash, `null` for any other name. */
export function archivedIdOf(name: string): { readonly id: string } | "hashed" | null {
  if (!name.endsWith(end)) return null;
  const escaped = name.slice(0, -end.length);
  if (/^_[\da-f]{64}$/.test(escaped)) return "hashed";
  if (!/^(?:[a-z\d-]|_[\da-f]{2})*$/.test(escaped)) return null;
  const id = Buffer.from(
    escaped.replace(/_([\da-f]{2})/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    ),
    "latin1",
  ).toString("utf8");
  return archiveName(id) === name ? { id } : null;
}

function escapedByte(byte: number): string {
  const character = String.fromCharCode(byte);
  return /[a-z\d-]/.test(character) ? character : `_${byte.toString(16).padStart(2, "0")}`;
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
