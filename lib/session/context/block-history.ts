import {
  type DocumentVersion,
  type EntryProvider,
  isEntryProvider,
  isVersionedProvider,
  type WriteOptions,
} from "@/lib/session/context-provider";
import { BlockNotFoundError, InvalidArgumentError, NotSupportedError } from "@/lib/session/errors";
import type { RegisteredBlock } from "./context-block";
import { assertMayWrite, type ContextBlocks } from "./context-blocks";

/** Limits the search for a version to restore. */
const maxVersions = 10_000;

export interface VersionsOptions {
  /** An entry of a skill or searchable block; omitted, the block. */
  readonly key?: string | undefined;
  readonly limit?: number | undefined;
}

/** Versions of a block or an entry, newest first. @throws {NotSupportedError} */
export async function blockVersions(
  blocks: ContextBlocks,
  label: string,
  { key, limit }: VersionsOptions = {},
): Promise<DocumentVersion[]> {
  const options = limit === undefined ? {} : { limit };
  if (key !== undefined) return entriesOf(blocks, label).entryVersions(key, options);
  const { provider } = requireBlock(blocks, label);
  if (!isVersionedProvider(provider)) throw new NotSupportedError(`versions of block "${label}"`);
  return provider.versions(options);
}

/** Writes an earlier version again as a new one; restoring a deletion removes the entry. */
export async function restoreVersion(
  blocks: ContextBlocks,
  label: string,
  { key, version, ...write }: { key?: string | undefined; version: number } & WriteOptions,
): Promise<void> {
  const versions = await blockVersions(blocks, label, { key, limit: maxVersions });
  const wanted = versions.find((each) => each.version === version);
  if (!wanted) throw new InvalidArgumentError(`Block "${label}" has no version ${version}.`);
  if (key === undefined) await blocks.replace(label, wanted.content ?? "", write);
  else if (wanted.content === null) await removeEntry(blocks, { label, key }, write);
  else await blocks.setEntry(label, { key, content: wanted.content }, write);
}

/** @throws {NotSupportedError} when the provider cannot list entries. */
export function entriesOf(blocks: ContextBlocks, label: string): EntryProvider {
  const { provider } = requireBlock(blocks, label);
  if (!isEntryProvider(provider))
    throw new NotSupportedError(`listing the entries of block "${label}"`);
  return provider;
}

/** Removes an entry. @returns the id of its block. @throws {BlockWriterError} as other writes do. */
export async function removeEntry(
  blocks: ContextBlocks,
  { label, key }: { readonly label: string; readonly key: string },
  options: WriteOptions = {},
): Promise<string> {
  const block = requireBlock(blocks, label);
  assertMayWrite(block, options.provenance?.author);
  await entriesOf(blocks, label).remove(key, options);
  return block.id;
}

function requireBlock(blocks: ContextBlocks, label: string): RegisteredBlock {
  const block = blocks.registered.find((each) => each.label === label);
  if (!block) throw new BlockNotFoundError(label);
  return block;
}
