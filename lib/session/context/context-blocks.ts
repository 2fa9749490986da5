import {
  type ContextBlock,
  type FoundEntries,
  isSearchProvider,
  isSkillProvider,
  isVersionedProvider,
  isWritableProvider,
  type WriteOptions,
  type WriteProvenance,
} from "@/lib/session/context-provider";
import {
  BlockConflictError,
  BlockExistsError,
  BlockNotFoundError,
  BlockReadonlyError,
  BlockTooLargeError,
  BlockWriterError,
  InvalidArgumentError,
  isBlockConflict,
} from "@/lib/session/errors";
import { KeyedMutex } from "@/lib/session/keyed-mutex";
import type { MaybePromise } from "@/lib/session/session-provider";
import { estimateStringTokens } from "@/lib/session/tokens/estimate-tokens";
import {
  callProvider,
  keyedProvider,
  type RegisteredBlock,
  readBlock,
  readContent,
} from "./context-block";

const defaultDeadlineMs = 5_000;
const maxAppendAttempts = 8;

interface ContextBlocksOptions {
  /** Timeout of a provider. Default 5 s. */
  readonly deadlineMs?: number | undefined;
  /** Awaited before the first write, to prepare the storage. */
  readonly beforeWrite?: (() => MaybePromise<void>) | undefined;
}

export interface EntryWrite {
  readonly key: string;
  readonly content: string;
  readonly description?: string | undefined;
}

interface PreviewedWrite {
  readonly action: "replace" | "append";
  readonly text: string;
  readonly expectedVersion?: number | undefined;
}

/** The blocks of one session, in order of registration. */
export class ContextBlocks {
  readonly #blocks = new Map<string, RegisteredBlock>();
  readonly #writing = new KeyedMutex();
  readonly #options: ContextBlocksOptions;

  constructor(options: ContextBlocksOptions = {}) {
    this.#options = options;
  }

  get labels(): string[] {
    return [...this.#blocks.keys()];
  }

  get labelsById(): ReadonlyMap<string, string> {
    return new Map(this.registered.map(({ id, label }) => [id, label]));
  }

  get registered(): RegisteredBlock[] {
    return [...this.#blocks.values()];
  }

  /** @throws {BlockExistsError} @throws {InvalidArgumentError} for a label that cannot be in a header. */
  add(block: RegisteredBlock): void {
    if (block.label.trim() === "" || /[\r\n═]/.test(block.label)) {
      throw new InvalidArgumentError("A block label is one line of text.");
    }
    if (this.#blocks.has(block.label)) throw new BlockExistsError(block.label);
    this.#blocks.set(block.label, block);
  }

  /** Returns false for an unknown label. The content is kept. */
  remove(label: string): boolean {
    return this.#blocks.delete(label);
  }

  /** `null` for an unknown label. */
  async get(label: string): Promise<ContextBlock | null> {
    const block = this.#blocks.get(label);
    return block ? readBlock(block, this.#deadlineMs) : null;
  }

  /** Every block, read concurrently; one that fails carries its error. */
  getAll(): Promise<ContextBlock[]> {
    return Promise.all(this.registered.map((block) => readBlock(block, this.#deadlineMs)));
  }

  /** Versions by block id; blocks that cannot be read are left out. */
  async versions(): Promise<Map<string, number>> {
    const versioned = this.registered.filter(({ provider }) => isVersionedProvider(provider));
    const read = await Promise.all(versioned.map((block) => readBlock(block, this.#deadlineMs)));
    return new Map(
      read.flatMap(({ id, version }) => (version === undefined ? [] : [[id, version]])),
    );
  }

  /** Replaces the whole text. @throws {SessionError} when the write is refused. */
  async replace(label: string, content: string, options: WriteOptions = {}): Promise<ContextBlock> {
    const block = this.#writable(label, options.provenance?.author);
    await this.#writing.run(label, () => this.#set(block, content, options));
    return readBlock(block, this.#deadlineMs);
  }

  /** Appends text on its own line. Concurrent appends are all kept. */
  async append(label: string, text: string, options: WriteOptions = {}): Promise<ContextBlock> {
    const block = this.#writable(label, options.provenance?.author);
    await this.#writing.run(label, () => this.#appendTo(block, text, options));
    return readBlock(block, this.#deadlineMs);
  }

  /** Appends unless the block already has that text as whole lines; then returns `null`. */
  async appendOnce(
    label: string,
    text: string,
    options: WriteOptions = {},
  ): Promise<ContextBlock | null> {
    const block = this.#writable(label, options.provenance?.author);
    const isWritten = await this.#writing.run(label, () =>
      this.#appendTo(block, text, { ...options, skipsPresent: true }),
    );
    if (!isWritten) return null;
    return readBlock(block, this.#deadlineMs);
  }

  /** Checks a model's write without making it, and returns the result with the current version. */
  async preview(
    label: string,
    { action, text, expectedVersion }: PreviewedWrite,
  ): Promise<{ content: string; version: number | null }> {
    const block = this.#writable(label, "model");
    const { content, version } = await readContent(block, this.#deadlineMs);
    if (expectedVersion !== undefined && version !== undefined && version !== expectedVersion)
      throw new BlockConflictError(label, expectedVersion, version);
    const proposed = action === "append" ? joinLines(content, text) : text;
    assertFits(block, proposed);
    return { content: proposed, version: version ?? null };
  }

  /** Throws where `setEntry` would refuse a model. */
  assertEntryFits(label: string, content: string): void {
    const block = this.#require(label);
    if (!keyedProvider(block)?.set) throw new BlockReadonlyError(label);
    assertMayWrite(block, "model");
    assertFits(block, content);
  }

  async setEntry(label: string, entry: EntryWrite, options: WriteOptions = {}): Promise<void> {
    const { key, content, description } = entry;
    const block = this.#require(label);
    const provider = keyedProvider(block);
    if (!provider) throw new InvalidArgumentError(`Block "${label}" has no entries.`);
    if (!provider.set) throw new BlockReadonlyError(label);
    assertMayWrite(block, options.provenance?.author);
    assertFits(block, content);
    await this.#options.beforeWrite?.();
    await this.#call(label, () => provider.set?.(key, content, description, options));
  }

  /** A whole document of a skill block; `null` for an unknown key. */
  async load(label: string, key: string): Promise<string | null> {
    const { provider } = this.#require(label);
    if (!isSkillProvider(provider))
      throw new InvalidArgumentError(`Block "${label}" is not loadable.`);
    return this.#call(label, () => provider.load(key));
  }

  /** Searches a block; `null` for no results. Includes source keys where the provider reports them. */
  async search(label: string, query: string): Promise<FoundEntries | null> {
    const { provider } = this.#require(label);
    if (!isSearchProvider(provider))
      throw new InvalidArgumentError(`Block "${label}" is not searchable.`);
    return this.#call(label, async () => {
      if (provider.searchEntries) return provider.searchEntries(query);
      const text = await provider.search(query);
      return text ? { text, keys: [] } : null;
    });
  }

  get #deadlineMs(): number {
    return this.#options.deadlineMs ?? defaultDeadlineMs;
  }

  #require(label: string): RegisteredBlock {
    const block = this.#blocks.get(label);
    if (!block) throw new BlockNotFoundError(label);
    return block;
  }

  #writable(label: string, author: Author): RegisteredBlock {
    const block = this.#require(label);
    if (!isWritableProvider(block.provider)) throw new BlockReadonlyError(label);
    assertMayWrite(block, author);
    if (keyedProvider(block))
      throw new InvalidArgumentError(`Block "${label}" is written entry by entry.`);
    return block;
  }

  /** @returns false when nothing was written. */
  async #appendTo(
    block: RegisteredBlock,
    text: string,
    { skipsPresent = false, ...options }: WriteOptions & { readonly skipsPresent?: boolean },
  ): Promise<boolean> {
    for (let attempt = 1; ; attempt++) {
      const { content, version } = await readContent(block, this.#deadlineMs);
      if (skipsPresent && holdsLines(content, text)) return false;
      const expectedVersion = options.expectedVersion ?? version;
      try {
        await this.#set(block, joinLines(content, text), {
          ...options,
          expectedVersion,
          action: "append",
        });
        return true;
      } catch (error) {
        const mayRetry = options.expectedVersion === undefined && attempt < maxAppendAttempts;
        if (!(isBlockConflict(error) && mayRetry)) throw error;
      }
    }
  }

  async #set(block: RegisteredBlock, content: string, options: WriteOptions): Promise<void> {
    const { label, provider } = block;
    if (!isWritableProvider(provider)) throw new BlockReadonlyError(label);
    assertFits(block, content);
    await this.#options.beforeWrite?.();
    const { expectedVersion, ...others } = options;
    const checked = isVersionedProvider(provider) && expectedVersion !== undefined;
    await this.#call(label, () => provider.set(content, checked ? options : others));
  }

  #call<Answer>(label: string, call: () => MaybePromise<Answer>): Promise<Answer> {
    return callProvider({ label, deadlineMs: this.#deadlineMs }, call);
  }
}

type Author = WriteProvenance["author"] | undefined;

/** @throws {BlockTooLargeError} */
export function assertFits(
  { label, maxTokens }: Pick<RegisteredBlock, "label" | "maxTokens">,
  content: string,
): void {
  const tokens = estimateStringTokens(content);
  if (maxTokens !== undefined && tokens > maxTokens) {
    throw new BlockTooLargeError(label, tokens, maxTokens);
  }
}

/** Only models and programs are ever refused. @throws {BlockWriterError} */
export function assertMayWrite(
  { label, writers }: Pick<RegisteredBlock, "label" | "writers">,
  author: Author,
): void {
  const isOther = author === "model" || author === "program";
  if (writers === "person" && isOther) throw new BlockWriterError(label);
}

/** Returns true when `content` has `text` as consecutive whole lines, ignoring blank space at their ends. */
export function holdsLines(content: string, text: string): boolean {
  const lines = (given: string) => {
    const trimmed = given.split("\n").map((line) => line.trimEnd());
    return `\n${trimmed.join("\n")}\n`;
  };
  return lines(content).includes(lines(text.trim()));
}

/** Appends on a new line. */
export function joinLines(content: string, text: string): string {
  return content === "" || text.startsWith("\n") ? content + text : `${content}\n${text}`;
}
