import type { ToolSet } from "ai";
import type { CompactOptions } from "./compaction/compactor";
import { type AcceptOptions, writeProposal } from "./context/accept-proposal";
import {
  blockVersions,
  entriesOf,
  removeEntry,
  restoreVersion,
  type VersionsOptions,
} from "./context/block-history";
import type { ContextBlock, ContextDefinition, ContextOptions } from "./context/context-block";
import type { EntryWrite } from "./context/context-blocks";
import type { BlockChange } from "./context/prompt";
import type { ContextEntry, DocumentVersion, FrozenText, WriteOptions } from "./context-provider";
import {
  BlockNotFoundError,
  InvalidArgumentError,
  ProposalNotFoundError,
  ProviderFailedError,
} from "./errors";
import type { SessionEventType, SessionListener, Usage } from "./events";
import { dated, type HistoryMessage, type SessionMessage, type StoredMessage } from "./message";
import { prepareForModel } from "./model-messages";
import type { ListProposalsOptions, Proposal } from "./proposals";
import { SessionMessages } from "./session-messages";
import type { Compaction, LoadedSkill, MaybePromise } from "./session-provider";
import { type ContextToolsOptions, contextTools } from "./tools/context-tools";
import type { HeldWrite } from "./tools/set-context";
import { type SessionParts, type SessionSource, wireSession } from "./wiring/wire-session";

/** For constructing a session without a builder. */
export interface SessionOptions {
  readonly context?: readonly ContextDefinition[] | undefined;
  readonly sessionId?: string | undefined;
  /** `false`: an unknown session is an error instead of being created at the first write. */
  readonly createsSession?: boolean | undefined;
}

export interface ModelHistoryOptions {
  /** Compacts first when the history exceeds its threshold. */
  readonly compactsIfNeeded?: boolean | undefined;
  /** Aborts that compaction; the history is then returned as it is. */
  readonly signal?: AbortSignal | undefined;
  /** Messages after the history, not necessarily stored. */
  readonly newMessages?: readonly SessionMessage[] | undefined;
}

export interface ToolsOptions extends Omit<ContextToolsOptions, "loadedSkills" | "hold"> {
  /** Turns every write into a proposal for the person to accept or decline. Default `false`. */
  readonly holdWrites?: boolean | undefined;
  /** The path whose loaded skills count. Default: the active one. */
  readonly leafId?: string | undefined;
}

/** Derives a block's next content from its current one (`null` when empty) and the visible history. */
export type Consolidate = (
  content: string | null,
  history: readonly StoredMessage[],
) => MaybePromise<string>;

/**
 * One conversation tree with its memory: messages, context blocks, prompt, tools and compaction. Lazy: nothing is
 * read or written before the first use.
 */
export class Session extends SessionMessages {
  readonly #source: SessionSource;
  readonly #createsSession: boolean;
  #sessionId: string;
  #parts: SessionParts | null = null;

  constructor(source: SessionSource, options: SessionOptions = {}) {
    super();
    this.#source = source;
    this.#sessionId = options.sessionId ?? "default";
    this.#createsSession = options.createsSession ?? true;
    this.settings.context.push(...(options.context ?? []));
  }

  /** `source` stores messages, or also creates blocks and the prompt cache. */
  static create(source: SessionSource): Session {
    return new Session(source);
  }

  forSession(sessionId: string): this {
    this.assertConfigurable();
    this.#sessionId = sessionId;
    return this;
  }

  /** Within its store; `"default"` without `forSession`. */
  get id(): string {
    return this.#sessionId;
  }

  /**
   * Listens to this session, whether written by this object, another one, or another process where the store's events
   * reach. @returns a function that unsubscribes.
   */
  on<Type extends SessionEventType>(type: Type, listener: SessionListener<Type>): () => void {
    const { events, id } = this.parts;
    return events.on(type, listener, { sessionId: id, onError: this.settings.onListenerError });
  }

  /** Adds a block to a running session. The frozen prompt stays. @throws {BlockExistsError} */
  async addContext(label: string, options: ContextOptions = {}): Promise<ContextBlock | null> {
    const { blocks, register } = this.parts;
    blocks.add(register(label, options));
    return blocks.get(label);
  }

  /** Returns false for an unknown label. Content and frozen prompt are kept. */
  async removeContext(label: string): Promise<boolean> {
    return this.parts.blocks.remove(label);
  }

  /** `null` for an unknown label. */
  async getContextBlock(label: string): Promise<ContextBlock | null> {
    return this.parts.blocks.get(label);
  }

  /** The labels of the blocks by id. */
  get contextLabels(): ReadonlyMap<string, string> {
    return new Map(this.parts.blocks.registered.map(({ id, label }) => [id, label]));
  }

  /** Every block in order; one that cannot be read carries an `error`. */
  async getContextBlocks(): Promise<ContextBlock[]> {
    return this.parts.blocks.getAll();
  }

  /** @throws {BlockNotFoundError} @throws {BlockReadonlyError} @throws {BlockTooLargeError} @throws {BlockConflictError} */
  async replaceContextBlock(
    label: string,
    content: string,
    options?: WriteOptions,
  ): Promise<ContextBlock> {
    const { blocks, saves } = this.parts;
    return saves.run(() => blocks.replace(label, content, options));
  }

  /** Appends text on its own line. @throws as `replaceContextBlock` does. */
  async appendContextBlock(
    label: string,
    text: string,
    options?: WriteOptions,
  ): Promise<ContextBlock> {
    const { blocks, saves } = this.parts;
    return saves.run(() => blocks.append(label, text, options));
  }

  /**
   * Distils the conversation into a block of memory. Concurrent writers win. The messages stay; compact to summarize
   * them, or use `keepLatestMessages` to remove them.
   *
   * @throws {BlockConflictError} when the block changed meanwhile. @throws as `replaceContextBlock` does.
   */
  async consolidate(
    label: string,
    write: Consolidate,
    { leafId }: { readonly leafId?: string | undefined } = {},
  ): Promise<ContextBlock> {
    const before = await this.#presentBlock(label);
    const content = await write(before.content || null, await this.getHistory(leafId));
    return this.replaceContextBlock(label, content, {
      provenance: { author: "model", sessionId: this.id },
      expectedVersion: before.version,
    });
  }

  /** Reads a block and empties it, for notes to read once. `null` when it was empty. */
  async takeContextBlock(label: string, options: WriteOptions = {}): Promise<string | null> {
    const { content, version } = await this.#presentBlock(label);
    if (content === "") return null;
    await this.replaceContextBlock(label, "", { expectedVersion: version, ...options });
    return content;
  }

  async setContextEntry(label: string, entry: EntryWrite, options?: WriteOptions): Promise<void> {
    const { blocks, saves } = this.parts;
    return saves.run(() => blocks.setEntry(label, entry, options));
  }

  /** Entries of a skill or searchable block, by key. @throws {NotSupportedError} */
  async getContextEntries(label: string, options?: { limit?: number }): Promise<ContextEntry[]> {
    return entriesOf(this.parts.blocks, label).entries(options);
  }

  /** Removes an entry; its versions stay. @throws {NotSupportedError} */
  async removeContextEntry(label: string, key: string, options?: WriteOptions): Promise<void> {
    const { blocks, saves } = this.parts;
    await saves.run(() => removeEntry(blocks, { label, key }, options));
  }

  /** Versions of a block or an entry, newest first. @throws {NotSupportedError} */
  async getContextVersions(label: string, options?: VersionsOptions): Promise<DocumentVersion[]> {
    return blockVersions(this.parts.blocks, label, options);
  }

  /** Writes an earlier version again as a new one. @throws {InvalidArgumentError} for an unknown version. */
  async restoreContextVersion(
    label: string,
    version: number,
    options: WriteOptions & { readonly key?: string | undefined } = {},
  ): Promise<void> {
    const { blocks, saves } = this.parts;
    return saves.run(() => restoreVersion(blocks, label, { ...options, version }));
  }

  /** Renders the system prompt the first time and keeps it until refreshed. */
  async freezeSystemPrompt(): Promise<string> {
    return this.parts.prompt.freeze();
  }

  /** Like `freezeSystemPrompt`, with the versions of its blocks. */
  async freezeVersionedPrompt(): Promise<FrozenText> {
    return this.parts.prompt.freezeVersioned();
  }

  /** Renders the system prompt again from the current blocks. */
  async refreshSystemPrompt(): Promise<string> {
    return this.parts.prompt.refresh();
  }

  /** Differences between the frozen prompt and the current blocks. */
  async getPromptChanges(): Promise<BlockChange[]> {
    return this.parts.prompt.changes();
  }

  /** Tools for the blocks. They answer with text and never throw. */
  async tools({ leafId, holdWrites = false, ...options }: ToolsOptions = {}): Promise<ToolSet> {
    const { blocks } = this.parts;
    return contextTools(blocks, {
      seenVersions: await blocks.versions(),
      ...options,
      ...(holdWrites && {
        hold: async (write) => void (await this.#propose(write)),
      }),
      loadedSkills: () => this.getLoadedSkills(leafId),
    });
  }

  /** Proposals of this session, newest first. */
  async getProposals(options: Omit<ListProposalsOptions, "sessionId"> = {}): Promise<Proposal[]> {
    return this.parts.proposals.list({ ...options, sessionId: this.id });
  }

  /**
   * Writes a proposal, optionally edited by the person.
   *
   * @throws {ProposalNotFoundError} @throws {ProposalDecidedError}
   * @throws {BlockConflictError} when the block's version is not the expected one.
   */
  async acceptProposal(proposalId: string, options?: AcceptOptions): Promise<Proposal> {
    const { proposals, blocks } = this.parts;
    const proposal = await this.#requireProposal(proposalId);
    return proposals.accept(proposalId, () => writeProposal(blocks, proposal, options));
  }

  /** @throws {ProposalNotFoundError} @throws {ProposalDecidedError} */
  async declineProposal(proposalId: string): Promise<Proposal> {
    await this.#requireProposal(proposalId);
    return this.parts.proposals.decline(proposalId);
  }

  /**
   * The history in a form a model accepts, with loaded documents. With `compactsIfNeeded` it is compacted first when
   * over the threshold. `newMessages`, not necessarily stored, follow it unless `withModelInput` decides otherwise.
   */
  async getModelHistory(
    leafId?: string,
    { compactsIfNeeded = false, signal, newMessages = [] }: ModelHistoryOptions = {},
  ): Promise<HistoryMessage[]> {
    const [history, loadedSkills] = await Promise.all([
      compactsIfNeeded ? this.#fittingHistory(leafId, signal) : this.getHistory(leafId),
      this.getLoadedSkills(leafId),
    ]);
    const { modelInput } = this.settings;
    const chosen = await modelInput?.(history, newMessages);
    const messages = (chosen ?? [...history, ...newMessages]).map(dated);
    return prepareForModel(messages as HistoryMessage[], {
      loadedSkills,
      loadSkill: (skill) => this.#loadedDocument(skill),
    });
  }

  /**
   * Summarizes the middle of the visible history. `null` when there is nothing to do, or when it changed meanwhile.
   * Concurrent calls run in turn.
   */
  async compact(leafId?: string, options?: CompactOptions): Promise<Compaction | null> {
    return this.parts.compactor.compact(leafId, options);
  }

  /**
   * Compacts if the history exceeds its threshold, as before a model call. Never throws, even when aborted.
   */
  async compactIfNeeded(
    leafId?: string,
    { signal }: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<Compaction | null> {
    return this.parts.compactor.consider(leafId, signal);
  }

  /** Resolves when a background compaction has ended. */
  async compactionSettled(): Promise<void> {
    return this.parts.compactor.settled();
  }

  /** Tokens of the visible history, by the counter that triggers compaction. */
  async countTokens(leafId?: string): Promise<number> {
    return this.parts.compactor.countTokens(leafId);
  }

  /** Adds to the session's totals, where a store keeps them, and emits the event. */
  async addUsage(usage: Usage): Promise<void> {
    const { store, events, saves, prepare, id } = this.parts;
    const event = { type: "usage", sessionId: id, ...usage } as const;
    await saves.run(async () => {
      await prepare();
      if (store) await store.sessions.addUsage(id, usage);
      else events.emit(event);
      saves.note(event);
    });
  }

  async #fittingHistory(
    leafId: string | undefined,
    signal: AbortSignal | undefined,
  ): Promise<HistoryMessage[]> {
    return this.loaded(await this.parts.compactor.fittingHistory(leafId, signal));
  }

  protected get parts(): SessionParts {
    this.#parts ??= wireSession(this.#source, {
      id: this.#sessionId,
      settings: this.settings,
      createsSession: this.#createsSession,
    });
    return this.#parts;
  }

  protected assertConfigurable(): void {
    if (this.#parts) throw new InvalidArgumentError("A session is set up before its first use.");
  }

  async #presentBlock(label: string): Promise<ContextBlock> {
    const block = await this.getContextBlock(label);
    if (!block) throw new BlockNotFoundError(label);
    if (block.error !== undefined) throw new ProviderFailedError(label, block.error);
    return block;
  }

  async #propose({ provenance, ...write }: HeldWrite): Promise<Proposal> {
    const { prepare, proposals } = this.parts;
    await prepare();
    const messageId = provenance?.messageId ?? null;
    return proposals.add({ ...write, sessionId: this.id, messageId });
  }

  async #requireProposal(proposalId: string): Promise<Proposal> {
    const proposal = await this.parts.proposals.get(proposalId);
    if (proposal?.sessionId !== this.id) throw new ProposalNotFoundError(proposalId);
    return proposal;
  }

  /** An unreadable document must not keep the model from answering. */
  async #loadedDocument({ label, key }: LoadedSkill): Promise<string | null> {
    try {
      return await this.parts.blocks.load(label, key);
    } catch {
      return null;
    }
  }
}
