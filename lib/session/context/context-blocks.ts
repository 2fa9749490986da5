import {
  type ContextBlock,
  type FoundEntries,
  isSearchProvider,
  isSkillProvider,
  isVersionedProvider,
  isWritableProvider,
  type KeyedKind,
  keyedKinds,
  type WriteOptions,
  type WriteProvenance,
} from "../context-provider";
import {
  BlockConflictError,
  BlockExistsError,
  BlockNotFoundError,
  BlockReadonlyError,
  BlockTooLargeError,
  BlockWriterError,
  InvalidArgumentError,
  isBlockConflict,
} from "../errors";
import { KeyedMutex } from "../keyed-mutex";
import type { MaybePromise } from "../session-provider";
import { estimateStringTokens } from "../tokens/estimate-tokens";
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
  readonly deadlineMs?: number | undefined;
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

  registeredAs(kind: KeyedKind): RegisteredBlock[] {
    return this.registered.filter(({ provider }) => keyedKinds[kind].isProvider(provider));
  }

  /** @throws {BlockExistsError} @throws {InvalidArgumentError} for a label that cannot be in a header. */
  add(block: RegisteredBlock): void {
    if (block.label.trim() === "" || /[\r\n═]/.test(block.label)) {
      throw new InvalidArgumentError("A block label is one line of text.");
    }
    if (this.#blocks.has(block.label)) throw new BlockExistsError(block.label);
    this.#blocks.set(block.label, block);
  }

  remove(label: string): boolean {
    return this.#blocks.delete(label);
  }

  async get(label: string): Promise<ContextBlock | null> {
    const block = this.#blocks.get(label);
    return block ? readBlock(block, this.#deadlineMs) : null;
  }

  getAll(): Promise<ContextBlock[]> {
    return Promise.all(this.registered.map((block) => readBlock(block, this.#deadlineMs)));
  }

  /** By block id, without blocks that cannot be read. */
  async versions(): Promise<Map<string, number>> {
    const versioned = this.registered.filter(({ provider }) => isVersionedProvider(provider));
    const read = await Promise.all(versioned.map((block) => readBlock(block, this.#deadlineMs)));
    return new Map(
      read.flatMap(({ id, version }) => (version === undefined ? [] : [[id, version]])),
    );
  }

  async replace(label: string, content: string, options: WriteOptions = {}): Promise<ContextBlock> {
    const block = this.#writable(label, options.provenance?.author);
    await this.#writing.run(label, () => this.#set(block, content, options));
    return readBlock(block, this.#deadlineMs);
  }

  async append(label: string, text: string, options: WriteOptions = {}): Promise<ContextBlock> {
    const block = this.#writable(label, options.provenance?.author);
    await this.#writing.run(label, () => this.#appendTo(block, text, options));
    return readBlock(block, this.#deadlineMs);
  }

  /** `null` when the block already has the text as whole lines. */
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

  async load(label: string, key: string): Promise<string | null> {
    const { provider } = this.#require(label);
    if (!isSkillProvider(provider))
      throw new InvalidArgumentError(`Block "${label}" is not loadable.`);
    return this.#call(label, () => provider.load(key));
  }

  /** `null` for no results. Names source keys where the provider reports them. */
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

export function assertFits(
  { label, maxTokens }: Pick<RegisteredBlock, "label" | "maxTokens">,
  content: string,
): void {
  const tokens = estimateStringTokens(content);
  if (maxTokens !== undefined && tokens > maxTokens) {
    throw new BlockTooLargeError(label, tokens, maxTokens);
  }
}

export function assertMayWrite(
  { label, writers }: Pick<RegisteredBlock, "label" | "writers">,
  author: Author,
): void {
  const isOther = author === "model" || author === "program";
  if (writers === "person" && isOther) throw new BlockWriterError(label);
}

/** Compares whole consecutive lines, ignoring blank space at their ends. */
export function holdsLines(content: string, text: string): boolean {
  const lines = (given: string) => {
    const trimmed = given.split("\n").map((line) => line.trimEnd());
    return `\n${trimmed.join("\n")}\n`;
  };
  return lines(content).includes(lines(text.trim()));
}

export function joinLines(content: string, text: string): string {
  return content === "" || text.startsWith("\n") ? content + text : `${content}\n${text}`;
}
