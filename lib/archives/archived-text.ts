import { ExportDamagedError } from "../session/internal";
import { archivedIdOf, archiveName } from "./archive-name";

/** Matches only text that `JSON.parse` reads as a string. */
const sessionLine =
  /^\{"type":"session","id":("(?:[ !#-[\]-\u{10ffff}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*")/u;

/** @throws {ExportDamagedError} for bytes that are not UTF-8, which a lenient decoder would change. */
export function decodeArchived(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new ExportDamagedError("it is not UTF-8 text", { cause });
  }
}

/**
 * `null` where neither the name nor the text tells.
 *
 * @param read is called when the name alone does not tell.
 */
export async function archivedSessionId(
  name: string,
  read: () => Promise<Uint8Array | null>,
): Promise<string | null> {
  const found = archivedIdOf(name);
  if (found !== "hashed") return found?.id ?? null;
  const bytes = await read();
  const id = bytes && sessionIdIn(new TextDecoder().decode(bytes));
  // A damaged text may have another id.
  return id !== null && archiveName(id) === name ? id : null;
}

function sessionIdIn(text: string): string | null {
  const [, line = ""] = text.split("\n", 2);
  const [, id] = sessionLine.exec(line) ?? [];
  return id === undefined ? null : (JSON.parse(id) as string);
}
