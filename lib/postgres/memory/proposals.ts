import { and, desc, eq, isNull, or, sql } from "drizzle-orm";
import {
  type Proposal,
  ProposalDecidedError,
  ProposalNotFoundError,
  SessionNotFoundError,
} from "../../session";
import { proposalLimit, storableText } from "../../session/internal";
import type { ListProposalsOptions, NewProposal, ProposalStore } from "../../session/ports";
import type { Sql } from "../connections/sql";
import { type Database, drizzleOn } from "../drizzle-on";
import { isLive, isOfPresentSession } from "../live-session";
import { chatProposal, chatSession } from "../schema";

export class PostgresProposals implements ProposalStore {
  readonly #db: Database;
  readonly #ownerId: string;

  constructor(pool: Sql, ownerId: string) {
    this.#db = drizzleOn(pool);
    this.#ownerId = ownerId;
  }

  async add({
    id = crypto.randomUUID(),
    title,
    description,
    content,
    program,
    ...proposal
  }: NewProposal): Promise<Proposal> {
    const { sessionId } = proposal;
    if (sessionId !== null) await this.#assertSession(sessionId);
    const [row] = await this.#db
      .insert(chatProposal)
      .values({
        ...proposal,
        ownerId: this.#ownerId,
        proposalId: id,
        moment: sql`(
          select coalesce(max(made.moment), 0) + 1 from chat_proposal made where made.owner_id = ${this.#ownerId}
        )`,
        program: program === null ? null : storableText(program),
        title: title === null ? null : storableText(title),
        description: description === null ? null : storableText(description),
        content: storableText(content),
      })
      .onConflictDoNothing()
      .returning();
    return row ? proposalOf(row) : this.#require(id);
  }

  async #assertSession(sessionId: string): Promise<void> {
    const isMeant = and(
      eq(chatSession.ownerId, this.#ownerId),
      eq(chatSession.sessionId, sessionId),
    );
    if ((await this.#db.$count(chatSession, and(isMeant, isLive))) === 0)
      throw new SessionNotFoundError(sessionId);
  }

  async get(proposalId: string): Promise<Proposal | null> {
    const row = await readProposal(this.#db, this.#ownerId, proposalId);
    return row ? proposalOf(row) : null;
  }

  async list(options: ListProposalsOptions = {}): Promise<Proposal[]> {
    const { sessionId, messageId, status, limit = proposalLimit } = options;
    const rows = await this.#db
      .select()
      .from(chatProposal)
      .where(
        and(
          eq(chatProposal.ownerId, this.#ownerId),
          isPresent,
          sessionId === undefined
            ? undefined
            : or(eq(chatProposal.sessionId, sessionId), isNull(chatProposal.sessionId)),
          messageId === undefined ? undefined : eq(chatProposal.messageId, messageId),
          status === undefined ? undefined : eq(chatProposal.status, status),
        ),
      )
      .orderBy(desc(chatProposal.moment), chatProposal.proposalId)
      .limit(Math.min(limit, proposalLimit));
    return rows.map(proposalOf);
  }

  /** A document in this database records the decision with its write, others afterwards. */
  async accept(proposalId: string, write: () => Promise<number | null>): Promise<Proposal> {
    await assertOpen(this.#db, this.#ownerId, proposalId);
    const version = await write();
    await this.#decide(proposalId, { status: "accepted", version });
    return this.#require(proposalId);
  }

  async decline(proposalId: string): Promise<Proposal> {
    if (!(await this.#decide(proposalId, { status: "declined", version: null })))
      await assertOpen(this.#db, this.#ownerId, proposalId);
    return this.#require(proposalId);
  }

  async #decide(
    proposalId: string,
    decision: { status: "accepted" | "declined"; version: number | null },
  ): Promise<boolean> {
    const rows = await this.#db
      .update(chatProposal)
      .set({ ...decision, decidedAt: sql`now()` })
      .where(
        and(
          eq(chatProposal.ownerId, this.#ownerId),
          eq(chatProposal.proposalId, proposalId),
          eq(chatProposal.status, "open"),
          isPresent,
        ),
      )
      .returning({ id: chatProposal.proposalId });
    return rows.length > 0;
  }

  async #require(proposalId: string): Promise<Proposal> {
    const proposal = await this.get(proposalId);
    if (!proposal) throw new ProposalNotFoundError(proposalId);
    return proposal;
  }
}

export async function assertOpen(
  db: Database,
  ownerId: string,
  proposalId: string | undefined,
): Promise<void> {
  if (proposalId === undefined) return;
  const row = await readProposal(db, ownerId, proposalId);
  if (!row) throw new ProposalNotFoundError(proposalId);
  if (row.status !== "open") throw new ProposalDecidedError(proposalId, row.status);
}

async function readProposal(
  db: Database,
  ownerId: string,
  proposalId: string,
): Promise<typeof chatProposal.$inferSelect | undefined> {
  const isMeant = and(eq(chatProposal.ownerId, ownerId), eq(chatProposal.proposalId, proposalId));
  const [row] = await db.select().from(chatProposal).where(and(isMeant, isPresent));
  return row;
}

const isPresent = isOfPresentSession(chatProposal.ownerId, chatProposal.sessionId);

function proposalOf(row: typeof chatProposal.$inferSelect): Proposal {
  const { ownerId: _, proposalId: id, moment: __, ...proposal } = row;
  return { id, ...proposal };
}
