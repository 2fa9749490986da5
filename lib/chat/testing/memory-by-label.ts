import { BlockNotFoundError } from "grove-session";
import type { z } from "zod";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import { Memory } from "@/lib/chat/memory/memory";
import type {
  BlockWire,
  changeBlockRequest,
  createBlockRequest,
  EntryDocumentWire,
  writeBlockRequest,
  writeEntryRequest,
} from "@/lib/chat/wire/memory";

/** A block as a person names it, seen from one session. */
interface Place {
  readonly label: string;
  readonly sessionId: string | null;
}

export interface DeletedBlock {
  readonly id: string;
  readonly sessionId: string | null;
}

type EntryBody = z.output<typeof writeEntryRequest>;

export function blockViews(owner: OwnerData, sessionId: string | null): Promise<BlockWire[]> {
  return new Memory(owner, sessionId).list();
}

/** @throws {BlockNotFoundError} */
async function blockIdOf(owner: OwnerData, { label, sessionId }: Place): Promise<string> {
  const block = (await blockViews(owner, sessionId)).find((each) => each.label === label);
  if (!block) throw new BlockNotFoundError(label);
  return block.id;
}

export async function writeBlock(
  owner: OwnerData,
  { label, sessionId, ...body }: Place & z.output<typeof writeBlockRequest>,
): Promise<BlockWire> {
  const id = await blockIdOf(owner, { label, sessionId });
  return new Memory(owner, sessionId).write(id, body);
}

export function createBlock(
  owner: OwnerData,
  sessionId: string | null,
  request: z.output<typeof createBlockRequest>,
): Promise<BlockWire> {
  return new Memory(owner, sessionId).create(request);
}

export async function changeBlock(
  owner: OwnerData,
  place: Place,
  request: z.output<typeof changeBlockRequest>,
): Promise<BlockWire> {
  const id = await blockIdOf(owner, place);
  return new Memory(owner, place.sessionId).change(id, request);
}

export async function deleteBlock(owner: OwnerData, place: Place): Promise<DeletedBlock> {
  const id = await blockIdOf(owner, place);
  await new Memory(owner, place.sessionId).delete(id);
  return { id, sessionId: place.sessionId };
}

export function restoreBlock(
  owner: OwnerData,
  { id, sessionId }: DeletedBlock,
): Promise<BlockWire> {
  return new Memory(owner, sessionId).restore(id);
}

export async function listEntries(
  owner: OwnerData,
  { find, ...place }: Place & { readonly find: string | undefined },
): Promise<EntryDocumentWire[]> {
  return new Memory(owner, place.sessionId).entries(await blockIdOf(owner, place), find);
}

export async function readEntry(
  owner: OwnerData,
  { key, ...place }: Place & { readonly key: string },
): Promise<EntryDocumentWire> {
  return new Memory(owner, place.sessionId).entry(await blockIdOf(owner, place), key);
}

export async function addEntry(
  owner: OwnerData,
  place: Place,
  body: EntryBody,
): Promise<EntryDocumentWire> {
  return new Memory(owner, place.sessionId).addEntry(await blockIdOf(owner, place), body);
}

export async function writeEntry(
  owner: OwnerData,
  { key, ...place }: Place & { readonly key: string },
  body: EntryBody,
): Promise<EntryDocumentWire> {
  return new Memory(owner, place.sessionId).writeEntry(await blockIdOf(owner, place), key, body);
}

export async function removeEntry(
  owner: OwnerData,
  { key, ...place }: Place & { readonly key: string },
  expectedVersion?: number,
): Promise<void> {
  const id = await blockIdOf(owner, place);
  await new Memory(owner, place.sessionId).removeEntry(id, key, { expectedVersion });
}
