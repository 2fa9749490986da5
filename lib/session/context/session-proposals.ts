import {
  type ContextEntry,
  isEntryProvider,
  isSkillProvider,
  type WriteProvenance,
} from "../context-provider";
import { BlockNotFoundError, ProposalNotFoundError } from "../errors";
import { InMemoryProposals } from "../in-memory/in-memory-proposals";
import type { ListProposalsOptions, NewProposal, Proposal, ProposalStore } from "../proposals";
import type { SessionStorage } from "../session-storage";
import { keyedProvider, type RegisteredBlock } from "./context-block";
import { type ContextBlocks, joinLines } from "./context-blocks";

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
  /** Edited by the person, who then is the author. Default: the model's text. */
  readonly content?: string | undefined;
  /** Default: the version the model saw; for an appended line any. */
  readonly expectedVersion?: number | undefined;
}

/**
 * @returns the new version, `null` where none are kept. @throws {BlockConflictError} when another version is newest.
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
  readonly version: number | null;
}

/** A deleted entry has `""` and the deleting version; one that never existed has version 0. */
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
