import type { Sql } from "postgres";
import { storableText } from "@/lib/postgres/storable";
import {
  type ListProposalsOptions,
  type NewProposal,
  type Proposal,
  ProposalDecidedError,
  ProposalNotFoundError,
  type ProposalStore,
  proposalLimit,
  SessionNotFoundError,
} from "@/lib/session";
import * as queries from "./proposals";

/** The proposed writes of one owner. */
export class PostgresProposals implements ProposalStore {
  readonly #sql: Sql;
  readonly #owner: string;

  constructor(sql: Sql, ownerId: string) {
    this.#sql = sql;
    this.#owner = ownerId;
  }

  async add(proposal: NewProposal): Promise<Proposal> {
    const { sessionId: session, blockId: label, title, description, content, ...others } = proposal;
    const row = await queries.insertProposal(this.#sql, {
      ...others,
      owner: this.#owner,
      id: crypto.randomUUID(),
      session,
      label,
      title: title === null ? null : storableText(title),
      description: description === null ? null : storableText(description),
      content: storableText(content),
    });
    if (!row) throw new SessionNotFoundError(session);
    return proposalOf(row);
  }

  async get(proposalId: string): Promise<Proposal | null> {
    const row = await queries.readProposal(this.#sql, this.#key(proposalId));
    return row ? proposalOf(row) : null;
  }

  async list(options: ListProposalsOptions = {}): Promise<Proposal[]> {
    const { sessionId, messageId, status, limit = proposalLimit } = options;
    const rows = await queries.listProposals(this.#sql, {
      owner: this.#owner,
      session: sessionId ?? null,
      messageId: messageId ?? null,
      status: status ?? null,
      limit: Math.min(limit, proposalLimit),
    });
    return rows.map(proposalOf);
  }

  /** A document of this database notes the decision in the statement that writes it; any other one is noted after. */
  async accept(proposalId: string, write: () => Promise<number | null>): Promise<Proposal> {
    await this.#requireOpen(proposalId);
    const version = await write();
    await queries.decideProposal(this.#sql, {
      ...this.#key(proposalId),
      status: "accepted",
      version,
    });
    return this.#require(proposalId);
  }

  async decline(proposalId: string): Promise<Proposal> {
    const decision = { ...this.#key(proposalId), status: "declined", version: null };
    if (!(await queries.decideProposal(this.#sql, decision))) await this.#requireOpen(proposalId);
    return this.#require(proposalId);
  }

  async #require(proposalId: string): Promise<Proposal> {
    const proposal = await this.get(proposalId);
    if (!proposal) throw new ProposalNotFoundError(proposalId);
    return proposal;
  }

  async #requireOpen(proposalId: string): Promise<void> {
    const { status } = await this.#require(proposalId);
    if (status !== "open") throw new ProposalDecidedError(proposalId, status);
  }

  #key(proposalId: string): { owner: string; id: string } {
    return { owner: this.#owner, id: proposalId };
  }
}

function proposalOf(row: queries.ProposalRow): Proposal {
  return {
    id: row.proposal_id,
    sessionId: row.session_id,
    messageId: row.message_id,
    blockId: row.label,
    key: row.key,
    title: row.title,
    description: row.description,
    action: row.action,
    content: row.content,
    baseVersion: row.base_version,
    status: row.status,
    version: row.version,
    createdAt: row.created_at,
    decidedAt: row.decided_at,
  };
}
