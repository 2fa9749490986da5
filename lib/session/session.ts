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
import type { SessionEventType, SessionListener } from "./events";
import { dated, type HistoryMessage, type SessionMessage, type StoredMessage } from "./message";
import { prepareForModel } from "./model-messages";
import type { ListProposalsOptions, Proposal } from "./proposals";
import { SessionMessages } from "./session-messages";
import type { Compaction, LoadedSkill, MaybePromise } from "./session-provider";
import { isSessionStore, type Usage } from "./session-store";
import { type ContextToolsOptions, contextTools } from "./tools/context-tools";
import type { HeldWrite } from "./tools/set-context";
import { type SessionParts, type SessionSource, wireSession } from "./wiring/wire-session";

/** What a session is made of when it is constructed directly instead of built. */
export interface SessionOptions {
  readonly context?: readonly ContextDefinition[] | undefined;
  readonly sessionId?: string | undefined;
  /** `false`: a session the store does not know is an error instead of being created at the first write. */
  readonly createsSession?: boolean | undefined;
}

/** What happens to the history before a model is given it. */
export interface ModelHistoryOptions {
  /** Compacts first when the history is over its threshold. */
  readonly compactsIfNeeded?: boolean | undefined;
  /** Stops that compaction; the history is then given as it is. */
  readonly signal?: AbortSignal | undefined;
  /** What follows the history and need not be stored yet. */
  readonly newMessages?: readonly SessionMessage[] | undefined;
}

/** What the memory tools may do, and for which path of the tree. */
export interface ToolsOptions extends Omit<ContextToolsOptions, "loadedSkills" | "hold"> {
  /** Every write becomes a proposal that a person accepts or declines. Default `false`. */
  readonly holdWrites?: boolean | undefined;
  /** Hears of every proposal as it is kept. */
  readonly onProposal?: ((proposal: Proposal) => void) | undefined;
  /** The path whose loaded skills count. Omitted: the active one. */
  readonly leafId?: string | undefined;
}

/** Makes a block's next content of the present one (`null` when empty) and the visible history. */
export type Consolidate = (
  content: string | null,
  history: readonly StoredMessage[],
) => MaybePromise<string>;

/**
 * One conversation tree with its memory: messages, context blocks, the prompt they make, the tools they give a model,
 * and compaction. Lazy: nothing is read or written before the first use.
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

  /** A session over storage of messages, or over a store that also makes blocks and the prompt cache. */
  static create(source: SessionSource): Session {
    return new Session(source);
  }

  /** Names the session within a store. */
  forSession(sessionId: string): this {
    this.assertConfigurable();
    this.#sessionId = sessionId;
    return this;
  }

  /** Names the session within its store; `"default"` unless `forSession` said otherwise. */
  get id(): string {
    return this.#sessionId;
  }

  /**
   * Hears of what happens in this session from now on, whoever does it: another object for the same session, and with a
   * store whose events reach that far, another process. @returns a function that ends it.
   */
  on<Type extends SessionEventType>(type: Type, listener: SessionListener<Type>): () => void {
    return this.parts.voice.on(type, listener);
  }

  /** Adds a block to a session at work. The frozen prompt stays as it is. @throws {BlockExistsError} */
  async addContext(label: string, options: ContextOptions = {}): Promise<ContextBlock | null> {
    const { blocks, register } = this.parts;
    blocks.add(register(label, options));
    return blocks.get(label);
  }

  /** Whether there was such a block. Its content is kept, the frozen prompt stays as it is. */
  async removeContext(label: string): Promise<boolean> {
    return this.parts.blocks.remove(label);
  }

  /** `null` for an unknown label. */
  async getContextBlock(label: string): Promise<ContextBlock | null> {
    return this.parts.blocks.get(label);
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
    const { blocks, voice } = this.parts;
    return voice.saving(() => blocks.replace(label, content, options));
  }

  /** Adds text on a line of its own. @throws as `replaceContextBlock` does. */
  async appendContextBlock(
    label: string,
    text: string,
    options?: WriteOptions,
  ): Promise<ContextBlock> {
    const { blocks, voice } = this.parts;
    return voice.saving(() => blocks.append(label, text, options));
  }

  /**
   * Distils the conversation into a block of memory. Whoever writes the block meanwhile wins. The messages stay; to fold
   * them afterwards, compact, and to take them off, `keepLatestMessages`.
   *
   * @throws {BlockConflictError} when the block was changed meanwhile. @throws as `replaceContextBlock` does.
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

  /** Reads a block and empties it: for a note that is to be read once. `null` when it was empty. */
  async takeContextBlock(label: string, options: WriteOptions = {}): Promise<string | null> {
    const { content, version } = await this.#presentBlock(label);
    if (content === "") return null;
    await this.replaceContextBlock(label, "", { expectedVersion: version, ...options });
    return content;
  }

  /** Writes an entry of a skill or searchable block. */
  async setContextEntry(label: string, entry: EntryWrite, options?: WriteOptions): Promise<void> {
    const { blocks, voice } = this.parts;
    return voice.saving(() => blocks.setEntry(label, entry, options));
  }

  /** The entries of a skill or searchable block, by key. @throws {NotSupportedError} */
  async getContextEntries(label: string, options?: { limit?: number }): Promise<ContextEntry[]> {
    return entriesOf(this.parts.blocks, label).entries(options);
  }

  /** Takes an entry away; its versions stay. @throws {NotSupportedError} */
  async removeContextEntry(label: string, key: string, options?: WriteOptions): Promise<void> {
    const { blocks, voice } = this.parts;
    await voice.saving(async () => {
      const blockId = await removeEntry(blocks, { label, key }, options);
      const author = options?.provenance?.author;
      voice.emit("block-write", { blockId, label, key, action: "remove", author });
      voice.note();
    });
  }

  /** The versions of a block, or of an entry of it, newest first. @throws {NotSupportedError} */
  async getContextVersions(label: string, options?: VersionsOptions): Promise<DocumentVersion[]> {
    return blockVersions(this.parts.blocks, label, options);
  }

  /** Writes an earlier version again, as a new one. @throws {InvalidArgumentError} for an unknown version. */
  async restoreContextVersion(
    label: string,
    version: number,
    options: WriteOptions & { readonly key?: string | undefined } = {},
  ): Promise<void> {
    const { blocks, voice } = this.parts;
    return voice.saving(() => restoreVersion(blocks, label, { ...options, version }));
  }

  /** The system prompt: rendered the first time, then the same text until it is refreshed. */
  async freezeSystemPrompt(): Promise<string> {
    return this.parts.prompt.freeze();
  }

  /** The system prompt as `freezeSystemPrompt` gives it, with the versions of the blocks that are in it. */
  async freezeVersionedPrompt(): Promise<FrozenText> {
    return this.parts.prompt.freezeVersioned();
  }

  /** Renders the system prompt from the blocks as they are now. */
  async refreshSystemPrompt(): Promise<string> {
    return this.parts.prompt.refresh();
  }

  /** What differs between the frozen prompt and the blocks now. */
  async getPromptChanges(): Promise<BlockChange[]> {
    return this.parts.prompt.changes();
  }

  /** The tools a model gets for the blocks. What they answer is text; they never throw. */
  async tools({
    leafId,
    holdWrites = false,
    onProposal,
    ...options
  }: ToolsOptions = {}): Promise<ToolSet> {
    const { blocks } = this.parts;
    return contextTools(blocks, {
      seenVersions: await blocks.versions(),
      ...options,
      ...(holdWrites && {
        hold: async (write) => {
          const proposal = await this.#propose(write);
          onProposal?.(proposal);
        },
      }),
      loadedSkills: () => this.getLoadedSkills(leafId),
    });
  }

  /** What models want to write from this session, newest first. */
  async getProposals(options: Omit<ListProposalsOptions, "sessionId"> = {}): Promise<Proposal[]> {
    return this.parts.proposals.list({ ...options, sessionId: this.id });
  }

  /**
   * Writes what a model has proposed: as it is, or as the person has put it right.
   *
   * @throws {ProposalNotFoundError} @throws {ProposalDecidedError}
   * @throws {BlockConflictError} when the text has another version than the one it was proposed for, or the one expected.
   */
  async acceptProposal(proposalId: string, options?: AcceptOptions): Promise<Proposal> {
    const { proposals, blocks } = this.parts;
    const proposal = await this.#requireProposal(proposalId);
    return proposals.accept(proposalId, () => writeProposal(blocks, proposal, options));
  }

  /** Keeps a proposal as one not to be written. @throws {ProposalNotFoundError} @throws {ProposalDecidedError} */
  async declineProposal(proposalId: string): Promise<Proposal> {
    await this.#requireProposal(proposalId);
    return this.parts.proposals.decline(proposalId);
  }

  /**
   * The history as a model can be sent it: repaired, with the documents that are loaded. With `compactsIfNeeded` one that
   * is over the threshold is compacted first, as `compactIfNeeded` does. `newMessages`, which need not be stored yet,
   * follow it, unless `withModelInput` decides otherwise.
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
   * Summarizes the middle of the visible history now. `null` when there is nothing to do, or when it was changed
   * meanwhile. Two at once take turns.
   */
  async compact(leafId?: string, options?: CompactOptions): Promise<Compaction | null> {
    return this.parts.compactor.compact(leafId, options);
  }

  /** Compacts if the history is over its threshold, as before a model call; never throws, also when it is stopped. */
  async compactIfNeeded(
    leafId?: string,
    { signal }: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<Compaction | null> {
    return this.parts.compactor.consider(leafId, signal);
  }

  /** Resolves when a compaction in the background has ended. */
  async compactionSettled(): Promise<void> {
    return this.parts.compactor.settled();
  }

  /** The tokens of the visible history, by the counter that also triggers compaction. */
  async countTokens(leafId?: string): Promise<number> {
    return this.parts.compactor.countTokens(leafId);
  }

  /** Adds to the session's totals, where a store keeps them, and tells listeners. */
  async addUsage(usage: Usage): Promise<void> {
    const { source, voice, prepare, id } = this.parts;
    await voice.saving(async () => {
      await prepare();
      if (isSessionStore(source)) await source.sessions.addUsage(id, usage);
      voice.wrote("usage", usage);
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

  /** A document that cannot be read now must not keep the model from answering. */
  async #loadedDocument({ label, key }: LoadedSkill): Promise<string | null> {
    try {
      return await this.parts.blocks.load(label, key);
    } catch {
      return null;
    }
  }
}
