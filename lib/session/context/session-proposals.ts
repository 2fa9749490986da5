import {
  type ContextEntry,
  isEntryProvider,
  isSkillProvider,
  type WriteProvenance,
} from "@/lib/session/context-provider";
import { BlockNotFoundError, ProposalNotFoundError } from "@/lib/session/errors";
import { InMemoryProposals } from "@/lib/session/in-memory/in-memory-proposals";
import type {
  ListProposalsOptions,
  NewProposal,
  Proposal,
  ProposalStore,
} from "@/lib/session/proposals";
import type { SessionStorage } from "@/lib/session/session-storage";
import { keyedProvider, type RegisteredBlock } from "./context-block";
import { type ContextBlocks, joinLines } from "./context-blocks";

/** The proposals of one session, and those of none. Without a store they last as long as the process, like its blocks. */
export class SessionProposals {
  readonly #storage: SessionStorage;
  readonly #blocks: ContextBlocks;
  readonly #proposals: ProposalStore;

  constructor(storage: SessionStorage, blocks: ContextBlocks) {
    this.#storage = storage;
    this.#blocks = blocks;
    this.#proposals = storage.store?.proposals ?? new InMemoryProposals(() => true);
  }

  async list(options: Omit<ListProposalsOptions, "sessionId"> = {}): Promise<Proposal[]> {
    return this.#proposals.list({ ...options, sessionId: this.#storage.id });
  }

  async add(proposal: Omit<NewProposal, "sessionId" | "program">): Promise<Proposal> {
    await this.#storage.prepare();
    return this.#proposals.add({ ...proposal, sessionId: this.#storage.id, program: null });
  }

  /** `null` when unknown, or of another session. */
  async get(proposalId: string): Promise<Proposal | null> {
    const proposal = await this.#proposals.get(proposalId);
    const isMine = proposal?.sessionId === null || proposal?.sessionId === this.#storage.id;
    return isMine ? proposal : null;
  }

  async accept(proposalId: string, options?: AcceptOptions): Promise<Proposal> {
    const proposal = await this.#require(proposalId);
    return this.#proposals.accept(proposalId, () => writeProposal(this.#blocks, proposal, options));
  }

  async decline(proposalId: string): Promise<Proposal> {
    await this.#require(proposalId);
    return this.#proposals.decline(proposalId);
  }

  async #require(proposalId: string): Promise<Proposal> {
    const proposal = await this.get(proposalId);
    if (!proposal) throw new ProposalNotFoundError(proposalId);
    return proposal;
  }
}

export interface AcceptOptions {
  /** The text as edited by the person, who then is its author. Default: the model's. */
  readonly content?: string | undefined;
  /**
   * The version the person has seen. Default: the one the model had seen; for an appended line any, since it removes
   * nothing.
   */
  readonly expectedVersion?: number | undefined;
}

/**
 * Writes a proposal. @returns the new version, `null` where none are kept. @throws {BlockConflictError} when another
 * version is newest. @throws {SessionError} as other writes do.
 */
async function writeProposal(
  blocks: ContextBlocks,
  proposal: Proposal,
  accepted: AcceptOptions = {},
): Promise<number | null> {
  const block = blocks.registered.find(({ id }) => id === proposal.blockId);
  if (!block) throw new BlockNotFoundError(proposal.blockId);
  return keyedProvider(block)
    ? writeEntry(blocks, block, proposal, accepted)
    : writeText(blocks, block, proposal, accepted);
}

interface PresentEntry extends Pick<ContextEntry, "content" | "description"> {
  readonly title: string | null;
  /** `null` where none are kept. */
  readonly version: number | null;
}

/** An entry as it is: `""` and the deleting version when deleted, version 0 when it never existed. */
export async function readEntry({ provider }: RegisteredBlock, key: string): Promise<PresentEntry> {
  if (isEntryProvider(provider)) {
    const [entry, versions] = await Promise.all([
      provider.entry(key),
      provider.entryVersions(key, { limit: 1 }),
    ]);
    const { title = null, description = null, content = "" } = entry ?? {};
    return { title, description, content, version: versions[0]?.version ?? 0 };
  }
  const content = isSkillProvider(provider) ? await provider.load(key) : null;
  return { title: null, description: null, content: content ?? "", version: null };
}

async function writeText(
  blocks: ContextBlocks,
  { label }: RegisteredBlock,
  proposal: Proposal,
  { content, expectedVersion }: AcceptOptions,
): Promise<number | null> {
  const { action, baseVersion } = proposal;
  const provenance = provenanceOf(proposal, content);
  const isAddition = action === "append" && content === undefined;
  const { version } = isAddition
    ? await blocks.append(label, proposal.content, { provenance, expectedVersion })
    : await blocks.replace(label, content ?? proposal.content, {
        provenance,
        expectedVersion: expectedVersion ?? baseVersion ?? undefined,
      });
  return version ?? null;
}

async function writeEntry(
  blocks: ContextBlocks,
  block: RegisteredBlock,
  proposal: Proposal,
  accepted: AcceptOptions,
): Promise<number | null> {
  const { title, description, action, baseVersion } = proposal;
  const key = proposal.key ?? "";
  const before = await readEntry(block, key);
  const isAddition = action === "append" && accepted.content === undefined;
  const proposed = isAddition ? joinLines(before.content, proposal.content) : proposal.content;
  const seen = accepted.expectedVersion ?? (isAddition ? before.version : baseVersion);
  await blocks.setEntry(
    block.label,
    { key, content: accepted.content ?? proposed, description: description ?? undefined },
    {
      title: title ?? undefined,
      provenance: provenanceOf(proposal, accepted.content),
      expectedVersion: seen ?? undefined,
    },
  );
  return (await readEntry(block, key)).version;
}

/** Edited text has the person as author; the proposal's origin is recorded all the same. */
function provenanceOf(
  { id, sessionId, messageId, program }: Proposal,
  content: string | undefined,
): WriteProvenance {
  const proposer = program === null ? "model" : "program";
  return {
    author: content === undefined ? proposer : "person",
    ...(program !== null && { program }),
    ...(sessionId !== null && { sessionId }),
    ...(messageId !== null && { messageId }),
    proposalId: id,
  };
}
