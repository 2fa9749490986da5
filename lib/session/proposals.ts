/** A write a model asked for and nobody has made yet. */
export interface NewProposal {
  readonly sessionId: string;
  /** The answer that asks for it. */
  readonly messageId: string | null;
  readonly blockId: string;
  /** The entry of a skill or searchable block; `null` for the text of a plain block. */
  readonly key: string | null;
  readonly title: string | null;
  readonly description: string | null;
  readonly action: "replace" | "append";
  /** What is written anew, or the line to add. */
  readonly content: string;
  /** The version the model had seen; `null` where its provider keeps none. */
  readonly baseVersion: number | null;
}

const statuses = ["open", "accepted", "declined"] as const;

/** Where a proposal stands: waiting for the person, or decided for good. */
export type ProposalStatus = (typeof statuses)[number];

/** Whether `text` is one of the states of a proposal. */
export function isProposalStatus(text: string): text is ProposalStatus {
  return statuses.some((status) => status === text);
}

/** A proposed write as it is kept, decided or not. */
export interface Proposal extends NewProposal {
  readonly id: string;
  readonly status: ProposalStatus;
  /** The version that accepting it made, where versions are kept. */
  readonly version: number | null;
  readonly createdAt: Date;
  readonly decidedAt: Date | null;
}

/** Which proposals to list; what is omitted does not narrow the list. */
export interface ListProposalsOptions {
  readonly sessionId?: string | undefined;
  readonly messageId?: string | undefined;
  readonly status?: ProposalStatus | undefined;
  /** Default 200, which is also the most. */
  readonly limit?: number | undefined;
}

/** The proposed writes of one owner. Those of a deleted session are not seen until it is restored. */
export interface ProposalStore {
  /** @throws {SessionNotFoundError} */
  add(proposal: NewProposal): Promise<Proposal>;
  /** `null` when unknown. */
  get(proposalId: string): Promise<Proposal | null>;
  /** Newest first. */
  list(options?: ListProposalsOptions): Promise<Proposal[]>;
  /**
   * Makes the write of an open proposal and notes the version it made. Of several who accept at once one writes; when
   * `write` fails the proposal stays open. `write` must hand `proposalId` on in the provenance of what it writes.
   *
   * @throws {ProposalNotFoundError} @throws {ProposalDecidedError} and whatever `write` throws.
   */
  accept(proposalId: string, write: () => Promise<number | null>): Promise<Proposal>;
  /** Notes that it is not to be written. @throws {ProposalNotFoundError} @throws {ProposalDecidedError} */
  decline(proposalId: string): Promise<Proposal>;
}

/** How many proposals a list gives at most. */
export const proposalLimit = 200;
