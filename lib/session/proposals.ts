export interface NewProposal {
  /** Default: a new id. A known id returns its proposal. */
  readonly id?: string | undefined;
  /** `null` for a program's write to a block of every session. */
  readonly sessionId: string | null;
  readonly messageId: string | null;
  /** `null` for a proposal of a model. */
  readonly program: string | null;
  readonly blockId: string;
  /** `null` for the text of a plain block. */
  readonly key: string | null;
  readonly title: string | null;
  readonly description: string | null;
  readonly action: "replace" | "append";
  /** The new text, or the line to append. */
  readonly content: string;
  /** `null` where no versions are kept. */
  readonly baseVersion: number | null;
}

export type ProposalStatus = "open" | "accepted" | "declined";

export interface Proposal extends Omit<NewProposal, "id"> {
  readonly id: string;
  readonly status: ProposalStatus;
  /** The version made by accepting it, where versions are kept. */
  readonly version: number | null;
  readonly createdAt: Date;
  readonly decidedAt: Date | null;
}

export interface ListProposalsOptions {
  /** Limits proposals to this session and those of none. */
  readonly sessionId?: string | undefined;
  readonly messageId?: string | undefined;
  readonly status?: ProposalStatus | undefined;
  /** Default and maximum 200. */
  readonly limit?: number | undefined;
}

/** Proposals of one owner; hidden while their session is deleted. */
export interface ProposalStore {
  add(proposal: NewProposal): Promise<Proposal>;
  /** `null` when unknown. */
  get(proposalId: string): Promise<Proposal | null>;
  /** Newest first. */
  list(options?: ListProposalsOptions): Promise<Proposal[]>;
  /**
   * Writes an open proposal and records the version. Of concurrent calls only one writes; when `write` fails the
   * proposal stays open. `write` must pass `proposalId` on in its provenance.
   *
   * @throws {ProposalNotFoundError} @throws {ProposalDecidedError} and any error of `write`.
   */
  accept(proposalId: string, write: () => Promise<number | null>): Promise<Proposal>;
  /** @throws {ProposalNotFoundError} @throws {ProposalDecidedError} */
  decline(proposalId: string): Promise<Proposal>;
}

export const proposalLimit = 200;
