import {
  type AnyContextProvider,
  type ContextBlock,
  type ContextEntry,
  type DocumentVersion,
  type EntryProvider,
  isEntryProvider,
  isVersionedProvider,
  type WriteOptions,
} from "../context-provider";
import { emittingBlock, isEmitting } from "../emitting";
import {
  BlockNotFoundError,
  InvalidArgumentError,
  NotSupportedError,
  ProviderFailedError,
} from "../errors";
import { InMemoryDocument } from "../in-memory/in-memory-document";
import type { StoredMessage } from "../message";
import { reportFailure } from "../report-failure";
import type { MaybePromise } from "../session-provider";
import { refusingMissing, type SessionStorage } from "../session-storage";
import type { ContextOptions, RegisteredBlock } from "./context-block";
import { assertMayWrite, type ContextBlocks, type EntryWrite } from "./context-blocks";

const maxVersions = 10_000;

export interface VersionsOptions {
  readonly key?: string | undefined;
  readonly limit?: number | undefined;
}

export type Consolidate = (
  content: string | null,
  history: readonly StoredMessage[],
) => MaybePromise<string>;

export class SessionContext {
  readonly #storage: SessionStorage;
  readonly #blocks: ContextBlocks;

  constructor(storage: SessionStorage, blocks: ContextBlocks) {
    this.#storage = storage;
    this.#blocks = blocks;
  }

  add(label: string, options: ContextOptions): void {
    this.#blocks.add(registeredBlock(this.#storage, label, options));
  }

  async replace(label: string, content: string, options?: WriteOptions): Promise<ContextBlock> {
    return this.#storage.save(() => this.#blocks.replace(label, content, options));
  }

  async append(label: string, text: string, options?: WriteOptions): Promise<ContextBlock> {
    return this.#storage.save(() => this.#blocks.append(label, text, options));
  }

  async consolidate(
    label: string,
    write: Consolidate,
    readHistory: () => Promise<readonly StoredMessage[]>,
  ): Promise<ContextBlock> {
    const before = await this.#readable(label);
    const content = await write(before.content || null, await readHistory());
    return this.replace(label, content, {
      provenance: { author: "model", sessionId: this.#storage.id },
      expectedVersion: before.version,
    });
  }

  async take(label: string, options: WriteOptions = {}): Promise<string | null> {
    const { content, version } = await this.#readable(label);
    if (content === "") return null;
    await this.replace(label, "", { expectedVersion: version, ...options });
    return content;
  }

  async setEntry(label: string, entry: EntryWrite, options?: WriteOptions): Promise<void> {
    return this.#storage.save(() => this.#blocks.setEntry(label, entry, options));
  }

  async entries(label: string, options?: { limit?: number }): Promise<ContextEntry[]> {
    return this.#entriesOf(label).entries(options);
  }

  async removeEntry(label: string, key: string, options: WriteOptions = {}): Promise<void> {
    assertMayWrite(this.#require(label), options.provenance?.author);
    await this.#storage.save(() => this.#entriesOf(label).remove(key, options));
  }

  async versions(label: string, { key, limit }: VersionsOptions = {}): Promise<DocumentVersion[]> {
    const options = limit === undefined ? {} : { limit };
    if (key !== undefined) return this.#entriesOf(label).entryVersions(key, options);
    const { provider } = this.#require(label);
    if (!isVersionedProvider(provider)) throw new NotSupportedError(`versions of block "${label}"`);
    return provider.versions(options);
  }

  /** Restoring a deletion removes the entry. */
  async restoreVersion(
    label: string,
    version: number,
    { key, ...write }: WriteOptions & { readonly key?: string | undefined } = {},
  ): Promise<void> {
    const versions = await this.versions(label, { key, limit: maxVersions });
    const wanted = versions.find((each) => each.version === version);
    if (!wanted) throw new InvalidArgumentError(`Block "${label}" has no version ${version}.`);
    if (key === undefined) await this.replace(label, wanted.content ?? "", write);
    else if (wanted.content === null) await this.removeEntry(label, key, write);
    else await this.setEntry(label, { key, content: wanted.content }, write);
  }

  #entriesOf(label: string): EntryProvider {
    const { provider } = this.#require(label);
    if (!isEntryProvider(provider))
      throw new NotSupportedError(`listing the entries of block "${label}"`);
    return refusingMissing<EntryProvider>(provider, { entry: true, entryVersions: true });
  }

  #require(label: string): RegisteredBlock {
    const block = this.#blocks.registered.find((each) => each.label === label);
    if (!block) throw new BlockNotFoundError(label);
    return block;
  }

  async #readable(label: string): Promise<ContextBlock> {
    const block = await this.#blocks.get(label);
    if (!block) throw new BlockNotFoundError(label);
    if (block.error !== undefined) throw new ProviderFailedError(label, block.error);
    return block;
  }
}

/** Without a store, a block's content lasts as long as the process. */
function registeredBlock(
  { id: sessionId, store, note, emit }: SessionStorage,
  label: string,
  { blockId = label, provider, scope = "session", ...options }: ContextOptions,
): RegisteredBlock {
  const given: AnyContextProvider =
    (typeof provider === "function" ? provider(sessionId) : provider) ??
    store?.block({ label, sessionId: scope === "owner" ? null : sessionId }) ??
    new InMemoryDocument(label);
  initialize(given, label);
  const described = emittingBlock(
    given,
    { blockId, label, sessionId },
    isEmitting(given) ? note : emit,
  );
  return { ...options, id: blockId, label, provider: described };
}

const labelsByProvider = new WeakMap<AnyContextProvider, string>();

/** Several sessions may share a provider. */
function initialize(provider: AnyContextProvider, label: string): void {
  if (!provider.init || labelsByProvider.get(provider) === label) return;
  labelsByProvider.set(provider, label);
  try {
    provider.init(label);
  } catch (error) {
    void reportFailure(error, { what: `init("${label}") of a provider`, source: provider });
  }
}
