import { and, desc, eq, getTableColumns, gt, isNull, lt, or, sql } from "drizzle-orm";
import type { Sql } from "grove-session/postgres";
import type { SpaceId } from "@/lib/chat/core/person-in-space";
import { type Database, drizzleOn, inTransaction } from "@/lib/postgres/storage";
import { policyOwnerId } from "@/lib/storage/accounts/person-policies";
import { accountUser, chatShare, chatSharePiece } from "@/lib/storage/schema";

type ShareRow = typeof chatShare.$inferSelect;
type NewShare = typeof chatShare.$inferInsert;

export type PieceKind = (typeof chatSharePiece.$inferSelect)["kind"];

/** Both as gzip. */
export type PackedShare = Readonly<Record<PieceKind, Uint8Array>>;

export type StoredShare = ShareRow & { readonly isChatGone: boolean };

export type ShareChange = Partial<
  Pick<
    ShareRow,
    "audience" | "people" | "expiresAt" | "password" | "title" | "leafId" | "shows" | "takenDownAt"
  >
>;

const pieceBytes = 512_000;
export const mostShares = 1_000;

const isChatGone = sql<boolean>`not exists (
  select from chat_session session
  where session.owner_id = ${chatShare}.owner_id and session.session_id = ${chatShare}.session_id
    and session.deleted_at is null
)`;

export class PostgresShares {
  readonly #sql: Sql;
  readonly #db: Database;
  readonly #owner: SpaceId;

  constructor(database: Sql, spaceId: SpaceId) {
    this.#sql = database;
    this.#db = drizzleOn(database);
    this.#owner = spaceId;
  }

  /** Newest first, the first thousand. */
  list(): Promise<StoredShare[]> {
    const { createdAt, shareId, ownerId } = chatShare;
    return this.#stored()
      .where(eq(ownerId, this.#owner))
      .orderBy(desc(createdAt), desc(shareId))
      .limit(mostShares);
  }

  async get(shareId: string): Promise<StoredShare | null> {
    const [found] = await this.#stored().where(this.#is(shareId));
    return found ?? null;
  }

  /** The same id again keeps the first. */
  async add(
    share: Omit<NewShare, "ownerId" | "pageBytes" | "copyBytes">,
    packed: PackedShare,
  ): Promise<void> {
    await inTransaction(this.#sql, "write", async (transaction) => {
      const db = drizzleOn(transaction);
      const [added] = await db
        .insert(chatShare)
        .values({ ...share, ownerId: this.#owner, ...sizesOf(packed) })
        .onConflictDoNothing()
        .returning({ edition: chatShare.edition });
      if (added) await this.#addPieces(db, { shareId: share.shareId, ...added }, packed);
    });
  }

  /** @param packed is shown whole from the change on. @returns false for a share that is unknown or taken down. */
  async change(shareId: string, change: ShareChange, packed?: PackedShare): Promise<boolean> {
    return inTransaction(this.#sql, "write", async (transaction) => {
      const db = drizzleOn(transaction);
      const renewed = packed && {
        ...sizesOf(packed),
        edition: sql`${chatShare.edition} + 1`,
        updatedAt: sql`now()`,
      };
      const [changed] = await db
        .update(chatShare)
        .set({ shareId, ...change, ...renewed })
        .where(and(this.#is(shareId), isNull(chatShare.takenDownAt)))
        .returning({ edition: chatShare.edition });
      if (changed && packed) await this.#addPieces(db, { shareId, ...changed }, packed);
      return changed !== undefined;
    });
  }

  /** @returns false for an unknown share. */
  async remove(shareId: string): Promise<boolean> {
    const removed = await this.#db
      .delete(chatShare)
      .where(this.#is(shareId))
      .returning({ shareId: chatShare.shareId });
    return removed.length > 0;
  }

  #stored() {
    return this.#db
      .select({ ...getTableColumns(chatShare), isChatGone })
      .from(chatShare)
      .$dynamic();
  }

  #is(shareId: string) {
    return and(eq(chatShare.ownerId, this.#owner), eq(chatShare.shareId, shareId));
  }

  async #addPieces(
    db: Database,
    { shareId, edition }: Pick<ShareRow, "shareId" | "edition">,
    packed: PackedShare,
  ): Promise<void> {
    const place = { ownerId: this.#owner, shareId, edition };
    for (const kind of ["page", "copy"] as const)
      for (let n = 0; n * pieceBytes < packed[kind].length; n++) {
        const bytes = packed[kind].subarray(n * pieceBytes, (n + 1) * pieceBytes);
        await db.insert(chatSharePiece).values({ ...place, kind, n, bytes });
      }
    await db
      .delete(chatSharePiece)
      .where(
        and(
          eq(chatSharePiece.ownerId, this.#owner),
          eq(chatSharePiece.shareId, shareId),
          lt(chatSharePiece.edition, edition - 1),
        ),
      );
  }
}

function sizesOf({ page, copy }: PackedShare): Pick<ShareRow, "pageBytes" | "copyBytes"> {
  return { pageBytes: page.length, copyBytes: copy.length };
}

const isOfRemoved = sql`exists (
  select from account_user person
  join chat_owner policy on policy.owner_id = ${policyOwnerId("")} || person.id
  where person.owner_id = ${chatShare}.made_by and policy.settings ->> 'deletesAt' is not null
)`;

const isOfClosed = sql`exists (
  select from chat_clearing closed
  where closed.owner_id = ${chatShare}.owner_id
    or (closed.owner_id = ${chatShare}.made_by and closed.kind = 'account')
)`;

const isOfDeletedProject = sql`exists (
  select from account_space space where space.space_id = ${chatShare}.owner_id and space.deleted_at is not null
)`;

const isLive = and(
  isNull(chatShare.takenDownAt),
  or(isNull(chatShare.expiresAt), gt(chatShare.expiresAt, sql`now()`)),
  sql`not (${isOfRemoved} or ${isOfClosed} or ${isOfDeletedProject})`,
);

/** `null` once the link leads nowhere, for whatever reason. */
export async function liveShare(pool: Sql, tokenHash: string): Promise<ShareRow | null> {
  const [found] = await drizzleOn(pool)
    .select()
    .from(chatShare)
    .where(and(eq(chatShare.tokenHash, tokenHash), isLive));
  return found ?? null;
}

/** @throws when the share ends meanwhile. */
export async function* piecesOf(
  pool: Sql,
  share: Pick<ShareRow, "ownerId" | "shareId" | "edition" | "pageBytes" | "copyBytes">,
  kind: PieceKind,
): AsyncGenerator<Uint8Array> {
  const { ownerId, shareId, edition } = share;
  let left = share[`${kind}Bytes`];
  for (let n = 0; left > 0; n++) {
    const [piece] = await drizzleOn(pool)
      .select({ bytes: chatSharePiece.bytes })
      .from(chatSharePiece)
      .where(
        and(
          eq(chatSharePiece.ownerId, ownerId),
          eq(chatSharePiece.shareId, shareId),
          eq(chatSharePiece.edition, edition),
          eq(chatSharePiece.kind, kind),
          eq(chatSharePiece.n, n),
        ),
      );
    if (!piece) throw new Error("The share ended while it was read.");
    yield piece.bytes;
    left -= piece.bytes.length;
  }
}

type SharePlace = Pick<ShareRow, "ownerId" | "shareId">;

const isAt = ({ ownerId, shareId }: SharePlace) =>
  and(eq(chatShare.ownerId, ownerId), eq(chatShare.shareId, shareId));

export async function countView(pool: Sql, place: SharePlace): Promise<void> {
  await drizzleOn(pool)
    .update(chatShare)
    .set({ views: sql`${chatShare.views} + 1`, lastViewedAt: sql`now()` })
    .where(isAt(place));
}

export async function reportShare(pool: Sql, place: SharePlace): Promise<void> {
  await drizzleOn(pool)
    .update(chatShare)
    .set({ reports: sql`${chatShare.reports} + 1` })
    .where(isAt(place));
}

/** The most reported ones come first, then the newest. */
export function sharesOfHouse(pool: Sql, only?: string) {
  const { reports, createdAt, shareId } = chatShare;
  return drizzleOn(pool)
    .select({ share: chatShare, person: { userId: accountUser.id, name: accountUser.name } })
    .from(chatShare)
    .innerJoin(accountUser, eq(accountUser.ownerId, chatShare.madeBy))
    .where(only === undefined ? undefined : eq(shareId, only))
    .orderBy(desc(reports), desc(createdAt), desc(shareId))
    .limit(mostShares);
}

export async function takeDown(pool: Sql, place: SharePlace): Promise<void> {
  const db = drizzleOn(pool);
  await db.update(chatShare).set({ takenDownAt: sql`now()` }).where(isAt(place));
  const { ownerId, shareId } = chatSharePiece;
  await db
    .delete(chatSharePiece)
    .where(and(eq(ownerId, place.ownerId), eq(shareId, place.shareId)));
}
