import type { z } from "zod";
import {
  BlockNotFoundError,
  type ContextEntry,
  entryKeyFor,
  estimateStringTokens,
} from "@/lib/session";
import { ChatError } from "./chat-error";
import { cleanText } from "./clean-text";
import type { EditableEntries, OwnerData } from "./owner-data";
import type { EntryDocumentWire, writeEntryRequest } from "./wire";

type EntryBody = z.output<typeof writeEntryRequest>;

/** The entries of a keyed block. @throws {BlockNotFoundError} for any other label. */
export function entriesOf(owner: OwnerData, label: string): EditableEntries {
  if (label === "knowledge") return owner.knowledge;
  if (label === "skills") return owner.skills;
  throw new BlockNotFoundError(label);
}

/** All entries, or those found by a search line; with a session, which of the skills are loaded there. */
export async function listEntries(
  owner: OwnerData,
  { label, sessionId, find }: { label: string; sessionId: string | null; find: string | undefined },
): Promise<EntryDocumentWire[]> {
  const entries = await (find !== undefined && label === "knowledge"
    ? owner.knowledge.find(find, 100)
    : entriesOf(owner, label).entries({ limit: 5_000 }));
  const loaded = sessionId === null ? [] : await owner.store.messages(sessionId).getLoadedSkills();
  const wanted =
    find === undefined || label === "knowledge" ? entries : entries.filter(mentions(find));
  return wanted.map((entry) => {
    return entryWire(
      entry,
      loaded.some((skill) => skill.label === label && skill.key === entry.key),
    );
  });
}

/** Adds an entry under the key its title gives; the same title updates it. */
export async function addEntry(
  owner: OwnerData,
  label: string,
  body: EntryBody,
): Promise<EntryDocumentWire> {
  return writeEntry(owner, { label, key: entryKeyFor(body.title) }, body);
}

/** A person writes an entry. @throws {BlockConflictError} when someone else has written since `expectedVersion`. */
export async function writeEntry(
  owner: OwnerData,
  { label, key }: { label: string; key: string },
  { expectedVersion, ...entry }: EntryBody,
): Promise<EntryDocumentWire> {
  const entries = entriesOf(owner, label);
  await entries.write(key, cleanText(entry), { provenance: { author: "person" }, expectedVersion });
  return entryWire(await requireEntry(entries, key), false);
}

/** Its versions stay, so that it can be written again. @throws {ChatError} when there is no such entry. */
export async function removeEntry(
  owner: OwnerData,
  { label, key }: { label: string; key: string },
): Promise<void> {
  const entries = entriesOf(owner, label);
  await requireEntry(entries, key);
  await entries.remove(key, { provenance: { author: "person" } });
}

async function requireEntry(entries: EditableEntries, key: string): Promise<ContextEntry> {
  const entry = await entries.entry(key);
  if (!entry) throw new ChatError("entry-not-found", `There is no entry “${key}”.`);
  return entry;
}

function entryWire(entry: ContextEntry, loaded: boolean): EntryDocumentWire {
  return {
    key: entry.key,
    title: entry.title,
    description: entry.description,
    content: entry.content,
    version: entry.version,
    tokens: estimateStringTokens(entry.content),
    updatedAt: entry.updatedAt.toISOString(),
    loaded,
  };
}

function mentions(find: string): (entry: ContextEntry) => boolean {
  const text = find.toLocaleLowerCase();
  return ({ title, key, description }) =>
    `${title} ${key} ${description ?? ""}`.toLocaleLowerCase().includes(text);
}
