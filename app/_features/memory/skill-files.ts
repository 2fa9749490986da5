import type { EntryDocumentWire } from "@/lib/chat/wire/memory";

export interface EntryWithFiles {
  readonly entry: EntryDocumentWire;
  readonly files: readonly EntryDocumentWire[];
}

/** Groups files under the skill whose key is their prefix; every entry appears once, in order. */
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
