import type { ContextBlocks, EntryWrite } from "../context/context-blocks";
import type { BlockChange, FrozenPrompt } from "../context/prompt";
import type { Consolidate, SessionContext, VersionsOptions } from "../context/session-context";
import type { AcceptOptions, SessionProposals } from "../context/session-proposals";
import type {
  ContextBlock,
  ContextEntry,
  DocumentVersion,
  FrozenText,
  WriteOptions,
} from "../context-provider";
import type { ListProposalsOptions, Proposal } from "../proposals";
import type { LoadedSkill } from "../session-provider";
import type { SessionStorage } from "../session-storage";
import type { SessionMessages } from "./session-messages";

interface Parts {
  readonly storage: SessionStorage;
  readonly messages: SessionMessages;
  readonly blocks: ContextBlocks;
  readonly context: SessionContext;
  readonly prompt: FrozenPrompt;
  readonly proposals: SessionProposals;
}

/** Entries, versions and proposals of a session's blocks, its loaded skills, and its prompt's state. */
export class SessionMemoryView {
  readonly #parts: Parts;

  /** @internal */
  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get labelsById(): ReadonlyMap<string, string> {
    return this.#parts.blocks.labelsById;
  }

  /** Distils the conversation into a block; the messages stay. @throws as `Session.replaceContextBlock` does. */
  async consolidate(
    label: string,
    write: Consolidate,
    { leafId }: { readonly leafId?: string | undefined } = {},
  ): Promise<ContextBlock> {
    const { context, messages } = this.#parts;
    return context.consolidate(label, write, () => messages.history(leafId));
  }

  /** Reads a block and empties it. `null` when it was empty. */
  async take(label: string, options?: WriteOptions): Promise<string | null> {
    return this.#parts.context.take(label, options);
  }

  async setEntry(label: string, entry: EntryWrite, options?: WriteOptions): Promise<void> {
    return this.#parts.context.setEntry(label, entry, options);
  }

  /** Entries of a skill or searchable block. @throws {NotSupportedError} */
  async getEntries(label: string, options?: { limit?: number }): Promise<ContextEntry[]> {
    return this.#parts.context.entries(label, options);
  }

  /** The entry's versions stay. @throws {NotSupportedError} */
  async removeEntry(label: string, key: string, options?: WriteOptions): Promise<void> {
    return this.#parts.context.removeEntry(label, key, options);
  }

  /** Newest first. @throws {NotSupportedError} */
  async getVersions(label: string, options?: VersionsOptions): Promise<DocumentVersion[]> {
    return this.#parts.context.versions(label, options);
  }

  /** Writes an earlier version again as a new one. @throws {InvalidArgumentError} for an unknown version. */
  async restoreVersion(
    label: string,
    version: number,
    options?: WriteOptions & { readonly key?: string | undefined },
  ): Promise<void> {
    return this.#parts.context.restoreVersion(label, version, options);
  }

  /** Newest first. */
  async getProposals(options?: Omit<ListProposalsOptions, "sessionId">): Promise<Proposal[]> {
    return this.#parts.proposals.list(options);
  }

  /** Writes a proposal, optionally edited by the person. @throws {ProposalDecidedError} @throws {BlockConflictError} */
  async acceptProposal(proposalId: string, options?: AcceptOptions): Promise<Proposal> {
    return this.#parts.proposals.accept(proposalId, options);
  }

  /** @throws {ProposalNotFoundError} @throws {ProposalDecidedError} */
  async declineProposal(proposalId: string): Promise<Proposal> {
    return this.#parts.proposals.decline(proposalId);
  }

  /**
   * `Session.freezeSystemPrompt` with the versions of its blocks. `known` is the kept one, where it was read already;
   * with `renews` it is rendered again, and only stored where that differs.
   */
  async freezeVersionedPrompt(
    known?: FrozenText | null,
    options: { readonly renews?: boolean | undefined } = {},
  ): Promise<FrozenText> {
    return this.#parts.prompt.freezeVersioned(known, options);
  }

  async getPromptChanges(): Promise<BlockChange[]> {
    return this.#parts.prompt.changes();
  }

  /** Loaded and not unloaded on the path to a leaf, in order of loading. */
  async getLoadedSkills(leafId?: string): Promise<LoadedSkill[]> {
    return this.#parts.messages.loadedSkills(leafId);
  }

  /** Records a load or unload by a person at the active leaf. */
  async recordSkillEvent(skill: LoadedSkill, action: "load" | "unload"): Promise<void> {
    return this.#parts.storage.changeTree("loading by a person", (tree) =>
      tree.recordSkillEvent(skill, action),
    );
  }
}
