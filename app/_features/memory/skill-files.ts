import type { EntryDocumentWire } from "@/lib/chat/wire/memory";

/** An entry with the files that came with it. */
export interface EntryWithFiles {
  readonly entry: EntryDocumentWire;
  readonly files: readonly EntryDocumentWire[];
}

/** Puts files under the skill whose key theirs continue after a slash; every entry is there once, in its order. */
export function withFiles(entries: readonly EntryDocumentWire[]): EntryWithFiles[] {
  const skillOf = new Map(
    entries.map(({ key }) => [key, entries.find((other) => key.startsWith(`${other.key}/`))?.key]),
  );
  return entries
    .filter(({ key }) => skillOf.get(key) === undefined)
    .map((entry) => ({
      entry,
      files: entries.filter(({ key }) => skillOf.get(key) === entry.key),
    }));
}
