import { ExportDamagedError } from "@/lib/session/internal";

/** @throws {ExportDamagedError} for bytes that are not UTF-8, which a lenient decoder would change. */
export function decodeArchived(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new ExportDamagedError("it is not UTF-8 text", { cause });
  }
}

/** Finds the session id in the second line; `null` where it cannot be read. */
export function sessionIdIn(text: string): string | null {
  const [, line = ""] = text.split("\n", 2);
  const [, id] = /^\{"type":"session","id":("(?:[^"\\]|\\.)*")/.exec(line) ?? [];
  return id === undefined ? null : (JSON.parse(id) as string);
}
