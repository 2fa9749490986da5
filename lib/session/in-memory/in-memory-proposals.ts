import { ProposalDecidedError, ProposalNotFoundError, SessionNotFoundError } from "../errors";
import { KeyedMutex } from "../keyed-mutex";
import {
  type ListProposalsOptions,
  type NewProposal,
  type Proposal,
  type ProposalStore,
  proposalLimit,
} from "../proposals";

export class InMemoryProposals implements ProposalStore {
  readonly #proposals = new Map<string, Proposal>();
  readonly #deciding = new KeyedMutex();
  readonly #hasSession: (sessionId: string) => boolean;

  constructor(hasSession: (sessionId: string) => boolean) {
    this.#hasSession = hasSession;
  }

  async add({ id = crypto.randomUUID(), ...proposal }: NewProposal): Promise<Proposal> {
    const { sessionId } = proposal;
    if (sessionId !== null && !this.#hasSession(sessionId))
      throw new SessionNotFoundError(sessionId);
    const known = this.#proposals.get(id);
    if (known) return known;
    return this.#keep({
      ...proposal,
      id,
      status: "open",
      version: null,
      createdAt: new Date(),
      decidedAt: null,
    });
  }

  async get(proposalId: string): Promise<Proposal | null> {
    const proposal = this.#proposals.get(proposalId);
    return proposal && this.#isVisible(proposal) ? proposal : null;
  }

  async list({
    sessionId,
    messageId,
    status,
    limit = proposalLimit,
  }: ListProposalsOptions = {}): Promise<Proposal[]> {
    return [...this.#proposals.values()]
      .filter((proposal) => this.#isVisible(proposal))
      .filter((proposal) => sessionId === undefined || isOf(proposal, sessionId))
      .filter((proposal) => messageId === undefined || proposal.messageId === messageId)
      .filter((proposal) => status === undefined || proposal.status === status)
      .toReversed()
      .slice(0, Math.min(limit, proposalLimit));
  }

  accept(proposalId: string, write: () => Promise<number | null>): Promise<Proposal> {
    return this.#deciding.run(proposalId, async () => {
      const proposal = await this.#open(proposalId);
      const version = await write();
      return this.#keep({ ...proposal, status: "accepted", version, decidedAt: new Date() });
    });
  }

  decline(proposalId: string): Promise<Proposal> {
    return this.#deciding.run(proposalId, async () => {
      const proposal = await this.#open(proposalId);
      return this.#keep({ ...proposal, status: "declined", decidedAt: new Date() });
    });
  }

  forget(sessionId: string): void {
    for (const proposal of this.#proposals.values()) {
      if (proposal.sessionId === sessionId) this.#proposals.delete(proposal.id);
    }
  }

  #isVisible({ sessionId }: Proposal): boolean {
    return sessionId === null || this.#hasSession(sessionId);
  }

  async #open(proposalId: string): Promise<Proposal> {
    const proposal = await this.get(proposalId);
    if (!proposal) throw new ProposalNotFoundError(proposalId);
    if (proposal.status !== "open") throw new ProposalDecidedError(proposalId, proposal.status);
    return proposal;
  }

  #keep(proposal: Proposal): Proposal {
    this.#proposals.set(proposal.id, proposal);
    return proposal;
  }
}

function isOf(proposal: Proposal, sessionId: string): boolean {
  return proposal.sessionId === null || proposal.sessionId === sessionId;
}
