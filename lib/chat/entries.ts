import type { z } from "zod";
import {
  BlockNotFoundError,
  BlockReadonlyError,
  type ContextEntry,
  entryKeyFor,
  estimateStringTokens,
} from "@/lib/session";
import { ChatError } from "./chat-error";
import { cleanText } from "./clean-text";
import type { EditableEntries, OwnerData } from "./owner-data";
import { listSource, readSourceEntry, sourceBlockOf } from "./source-blocks";
import type { EntryDocumentWire, writeEntryRequest } from "./wire/memory";

type EntryBody = z.output<typeof writeEntryRequest>;

/**
 * The entries of a keyed block kept in Grove.
 *
 * @throws {BlockReadonlyError} for skills kept elsewhere. @throws {BlockNotFoundError} for any other label.
 */
export function entriesOf(owner: OwnerData, label: string): EditableEntries {
  if (label === "knowledge") return owner.knowledge;
  if (label === "skills") return owner.skills;
  if (sourceBlockOf(owner, label)) throw new BlockReadonlyError(label);
  throw new BlockNotFoundError(label);
}

/** All entries, or those found by a search line; with a session, which of the skills are loaded there. */
export async function listEntries(
  owner: OwnerData,
  { label, sessionId, find }: { label: string; sessionId: string | null; find: string | undefined },
): Promise<EntryDocumentWire[]> {
  const entries = await foundEntries(owner, label, find);
  const loaded = sessionId === null ? [] : await owner.store.messages(sessionId).getLoadedSkills();
  const isLoaded = (key: string) =>
    loaded.some((skill) => skill.label === label && skill.key === key);
  return entries.map((entry) => ({ ...entry, loaded: isLoaded(entry.key) }));
}

/** One entry with its whole text. @throws {ChatError} when there is none. */
export async function readEntry(
  owner: OwnerData,
  { label, key }: { label: string; key: string },
): Promise<EntryDocumentWire> {
  const source = sourceBlockOf(owner, label);
  if (source) return readSourceEntry(source, key);
  return entryWire(await requireEntry(entriesOf(owner, label), key));
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
  return entryWire(await requireEntry(entries, key));
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

async function foundEntries(
  owner: OwnerData,
  label: string,
  find: string | undefined,
): Promise<EntryDocumentWire[]> {
  const source = sourceBlockOf(owner, label);
  if (find !== undefined && label === "knowledge") {
    return (await owner.knowledge.find(find, 100)).map(entryWire);
  }
  const entries = source
    ? await listSource(source)
    : (await entriesOf(owner, label).entries({ limit: 5_000 })).map(entryWire);
  return find === undefined ? entries : entries.filter(mentions(find));
}

function entryWire(entry: ContextEntry): EntryDocumentWire {
  return {
    key: entry.key,
    title: entry.title,
    description: entry.description,
    content: entry.content,
    version: entry.version,
    tokens: estimateStringTokens(entry.content),
    updatedAt: entry.updatedAt.toISOString(),
    loaded: false,
    problem: null,
  };
}

function mentions(find: string): (entry: EntryDocumentWire) => boolean {
  const text = find.toLocaleLowerCase();
  return ({ title, key, description }) =>
    `${title} ${key} ${description ?? ""}`.toLocaleLowerCase().includes(text);
}
