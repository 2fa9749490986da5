import { SkillSourceError } from "./skill-source";

/** Fills a window of 64,000 tokens. */
export const defaultMaxBytes = 256 * 1_024;

/** @throws {SkillSourceError} for bytes that are not UTF-8 text. */
export function decodeSkillText(name: string, bytes: Uint8Array): string {
  const text = decoded(bytes);
  if (text === null || text.includes("\0")) {
    throw new SkillSourceError(`“${name}” is not UTF-8 text.`);
  }
  return text;
}

/** @throws {SkillSourceError} for a file that would fill a model's window alone. */
export function assertNotTooLarge(name: string, bytes: number, maxBytes: number): void {
  if (bytes <= maxBytes) return;
  const limit = maxBytes < 1_024 ? `${maxBytes} bytes` : `${Math.floor(maxBytes / 1_024)} KB`;
  throw new SkillSourceError(`“${name}” is larger than ${limit}.`);
}

function decoded(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
