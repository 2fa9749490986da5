import { ProposalNotFoundError } from "@/lib/session/errors";
import { InMemoryProposals } from "@/lib/session/in-memory/in-memory-proposals";
import type { SessionStorage } from "@/lib/session/parts/session-storage";
import type {
  ListProposalsOptions,
  NewProposal,
  Proposal,
  ProposalStore,
} from "@/lib/session/proposals";
import { type AcceptOptions, writeProposal } from "./accept-proposal";
import type { ContextBlocks } from "./context-blocks";

/** The proposals of one session. Without a store they last as long as the process, like its blocks. */
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

  async add(proposal: Omit<NewProposal, "sessionId">): Promise<Proposal> {
    await this.#storage.prepare();
    return this.#proposals.add({ ...proposal, sessionId: this.#storage.id });
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
    const proposal = await this.#proposals.get(proposalId);
    if (proposal?.sessionId !== this.#storage.id) throw new ProposalNotFoundError(proposalId);
    return proposal;
  }
}
