import type { z } from "zod";
import { ChatError } from "@/lib/chat/chat-error";
import { cleanText } from "@/lib/chat/clean-text";
import type { EditableEntries, Knowledge, OwnerData, Skills } from "@/lib/chat/owner-data";
import type { EntryDocumentWire, writeEntryRequest } from "@/lib/chat/wire/memory";
import {
  BlockNotFoundError,
  BlockReadonlyError,
  type ContextEntry,
  entryKeyFor,
  estimateStringTokens,
} from "@/lib/session";
import { requireBlock } from "./block-definitions";
import { type BlockDefinition, defaultBlocks } from "./default-blocks";
import { listSource, readSourceEntry, sourceBlockOf } from "./source-blocks";

/** Sorts numbers in titles naturally: 2 before 10. */
const titleOrder = new Intl.Collator("en", { numeric: true });

type EntryBody = z.output<typeof writeEntryRequest>;

/** An entry's location; `sessionId` is the session whose blocks are meant. */
export interface EntryPlace {
  readonly label: string;
  readonly key: string;
  readonly sessionId: string | null;
}

/**
 * Entries of a keyed block kept in Grove. @throws {BlockReadonlyError} for external skills. @throws
 * {BlockNotFoundError} for any other label.
 */
export async function entriesOf(
  owner: OwnerData,
  label: string,
  sessionId: string | null,
): Promise<EditableEntries> {
  if (sourceBlockOf(owner, label)) throw new BlockReadonlyError(label);
  const block = await keyedBlock(owner, label, sessionId);
  return block.kind === "loadable"
    ? skillsOf(owner, block, sessionId)
    : searchedEntries(owner, block, sessionId);
}

/** All entries by title, or search results, best first; with a session, marks loaded skills. */
export async function listEntries(
  owner: OwnerData,
  { label, sessionId, find }: { label: string; sessionId: string | null; find: string | undefined },
): Promise<EntryDocumentWire[]> {
  const entries = await foundEntries(owner, { label, sessionId }, find);
  const loaded = sessionId === null ? [] : await owner.store.messages(sessionId).getLoadedSkills();
  const isLoaded = (key: string) =>
    loaded.some((skill) => skill.label === label && skill.key === key);
  return entries.map((entry) => ({ ...entry, loaded: isLoaded(entry.key) }));
}

/** @throws {ChatError} when there is none. */
export async function readEntry(
  owner: OwnerData,
  { label, key, sessionId }: EntryPlace,
): Promise<EntryDocumentWire> {
  const source = sourceBlockOf(owner, label);
  if (source) return readSourceEntry(source, key);
  return entryWire(await requireEntry(await entriesOf(owner, label, sessionId), key));
}

/** Adds an entry under the key derived from its title; the same title updates it. */
export async function addEntry(
  owner: OwnerData,
  block: Omit<EntryPlace, "key">,
  body: EntryBody,
): Promise<EntryDocumentWire> {
  return writeEntry(owner, { ...block, key: entryKeyFor(body.title) }, body);
}

/** @throws {BlockConflictError} when someone else has written since `expectedVersion`. */
export async function writeEntry(
  owner: OwnerData,
  { label, key, sessionId }: EntryPlace,
  { expectedVersion, ...entry }: EntryBody,
): Promise<EntryDocumentWire> {
  const entries = await entriesOf(owner, label, sessionId);
  await entries.write(key, cleanText(entry), { provenance: { author: "person" }, expectedVersion });
  return entryWire(await requireEntry(entries, key));
}

/**
 * Takes an entry away, and with a skill its files. The versions stay, so that it can be written again.
 *
 * @throws {ChatError} when there is no such entry.
 */
export async function removeEntry(
  owner: OwnerData,
  { label, key, sessionId }: EntryPlace,
): Promise<void> {
  const entries = await entriesOf(owner, label, sessionId);
  await requireEntry(entries, key);
  const { kind } = await keyedBlock(owner, label, sessionId);
  const all = kind === "loadable" ? await entries.entries({ limit: 5_000 }) : [];
  const files = all.map((entry) => entry.key).filter((each) => each.startsWith(`${key}/`));
  for (const each of [...files, key])
    await entries.remove(each, { provenance: { author: "person" } });
}

async function requireEntry(entries: EditableEntries, key: string): Promise<ContextEntry> {
  const entry = await entries.entry(key);
  if (!entry) throw new ChatError("entry-not-found", `There is no entry “${key}”.`);
  return entry;
}

async function foundEntries(
  owner: OwnerData,
  { label, sessionId }: Omit<EntryPlace, "key">,
  find: string | undefined,
): Promise<EntryDocumentWire[]> {
  const source = sourceBlockOf(owner, label);
  if (source) return matching(inTitleOrder(await listSource(source)), find);
  const block = await keyedBlock(owner, label, sessionId);
  if (block.kind === "loadable")
    return matching(await allOf(skillsOf(owner, block, sessionId)), find);
  const searched = searchedEntries(owner, block, sessionId);
  return find === undefined ? allOf(searched) : (await searched.find(find, 100)).map(entryWire);
}

async function allOf(entries: EditableEntries): Promise<EntryDocumentWire[]> {
  return inTitleOrder((await entries.entries({ limit: 5_000 })).map(entryWire));
}

/** Storage goes by key, the same everywhere, since the model's listing is cached; this order is for people. */
function inTitleOrder(entries: readonly EntryDocumentWire[]): EntryDocumentWire[] {
  return entries.toSorted(
    (first, second) =>
      titleOrder.compare(first.title, second.title) || (first.key < second.key ? -1 : 1),
  );
}

/** @throws {BlockNotFoundError} for plain blocks and unknown labels. */
async function keyedBlock(
  owner: OwnerData,
  label: string,
  sessionId: string | null,
): Promise<BlockDefinition> {
  const given = defaultBlocks.find((block) => block.label === label);
  const block = given ?? (await requireBlock(owner, label, sessionId));
  if (block.kind !== "searchable" && block.kind !== "loadable") throw new BlockNotFoundError(label);
  return block;
}

function searchedEntries(
  owner: OwnerData,
  { label, scope, blockId }: BlockDefinition,
  sessionId: string | null,
): Knowledge {
  if (label === "knowledge") return owner.knowledge;
  return owner.searchable(label, scope === "session" ? sessionId : null, { blockId });
}

function skillsOf(
  owner: OwnerData,
  { label, scope, blockId }: BlockDefinition,
  sessionId: string | null,
): Skills {
  if (label === "skills") return owner.skills;
  return owner.loadable(label, scope === "session" ? sessionId : null, { blockId });
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

function matching(entries: EntryDocumentWire[], find: string | undefined): EntryDocumentWire[] {
  return find === undefined ? entries : entries.filter(mentions(find));
}

function mentions(find: string): (entry: EntryDocumentWire) => boolean {
  const text = find.toLocaleLowerCase();
  return ({ title, key, description }) =>
    `${title} ${key} ${description ?? ""}`.toLocaleLowerCase().includes(text);
}
