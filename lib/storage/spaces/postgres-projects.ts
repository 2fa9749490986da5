import { and, asc, eq, gt, isNotNull, isNull, lt, type SQL, sql } from "drizzle-orm";
import type { Sql } from "grove-session/postgres";
import type { PersonId, PersonInSpace, SpaceId } from "@/lib/chat/core/person-in-space";
import { type Database, drizzleOn } from "@/lib/postgres/storage";
import { accountMember, accountSpace } from "@/lib/storage/schema";

export type SpaceRole = (typeof accountMember.$inferSelect)["role"];

export interface MemberProject {
  readonly id: SpaceId;
  readonly name: string;
  readonly icon: string | null;
  readonly role: SpaceRole;
  /** Other members. */
  readonly others: number;
  readonly isOnlyOwner: boolean;
  readonly defaultModel: string | null;
  readonly defaultAssistant: string | null;
  /** On until the person chooses, as long as nobody else is a member. */
  readonly personalMemory: boolean;
  readonly createdAt: Date;
  readonly deletedAt: Date | null;
  readonly restoredAt: Date | null;
}

export interface ProjectChange {
  readonly name?: string | undefined;
  readonly icon?: string | null | undefined;
  readonly defaultModel?: string | null | undefined;
  readonly defaultAssistant?: string | null | undefined;
  readonly personalMemory?: boolean | undefined;
}

export const mostProjects = 1_000;

const isMember = eq(accountSpace.spaceId, accountMember.spaceId);

const project = {
  id: accountSpace.spaceId,
  name: accountSpace.name,
  icon: accountSpace.icon,
  role: accountMember.role,
  others: sql<number>`(
    select count(*)::integer from account_member other
    where other.space_id = ${accountMember.spaceId} and other.person_id <> ${accountMember.personId}
  )`,
  isOnlyOwner: sql<boolean>`(${accountMember.role} = 'owner' and not exists (
    select from account_member other
    where other.space_id = ${accountMember.spaceId} and other.person_id <> ${accountMember.personId}
      and other.role = 'owner'
  ))`,
  defaultModel: accountSpace.defaultModel,
  defaultAssistant: accountSpace.defaultAssistant,
  personalMemory: sql<boolean>`coalesce(${accountMember.personalMemory}, not exists (
    select from account_member other
    where other.space_id = ${accountMember.spaceId} and other.person_id <> ${accountMember.personId}
  ))`,
  createdAt: accountSpace.createdAt,
  deletedAt: accountSpace.deletedAt,
  restoredAt: accountSpace.restoredAt,
};

const claimed = sql`'epoch'::timestamptz`;

export function membershipKey({ personId, spaceId }: PersonInSpace): string {
  return JSON.stringify([personId, spaceId]);
}

/** The beginning of the keys of a person. */
export function membershipsOf(personId: PersonId): string {
  return `[${JSON.stringify(personId)},`;
}

export function isClaimed({ deletedAt }: Pick<MemberProject, "deletedAt">): boolean {
  return deletedAt?.getTime() === 0;
}

function ago(ms: number): SQL {
  return sql`now() - ${ms} * interval '1 millisecond'`;
}

export class PostgresProjects {
  readonly #sql: Sql;
  readonly #db: Database;

  constructor(database: Sql) {
    this.#sql = database;
    this.#db = drizzleOn(database);
  }

  /** `null` for a project that is unknown, or without the person. */
  async get({ personId, spaceId }: PersonInSpace): Promise<MemberProject | null> {
    const [found] = await this.#db
      .select(project)
      .from(accountMember)
      .innerJoin(accountSpace, isMember)
      .where(and(eq(accountMember.personId, personId), eq(accountMember.spaceId, spaceId)));
    return found ?? null;
  }

  /** Keeps the memberships that go on. Each is a person's id and a project's as a JSON array. */
  async memberships(keys: readonly string[]): Promise<string[]> {
    const pairs = keys.map((key) => JSON.parse(key) as [string, string]);
    const rows = await this.#sql<{ personId: PersonId; spaceId: SpaceId }[]>`
      select person_id as "personId", space_id as "spaceId" from account_member
      where (person_id, space_id) in (
        select * from unnest(${pairs.map(([personId]) => personId)}::text[], ${pairs.map(([, spaceId]) => spaceId)}::text[])
      )`;
    return rows.map(membershipKey);
  }

  list(personId: PersonId, { deleted = false } = {}): Promise<MemberProject[]> {
    const { deletedAt, createdAt, spaceId } = accountSpace;
    return this.#db
      .select(project)
      .from(accountMember)
      .innerJoin(accountSpace, isMember)
      .where(
        and(
          eq(accountMember.personId, personId),
          deleted ? isNotNull(deletedAt) : isNull(deletedAt),
        ),
      )
      .orderBy(asc(createdAt), asc(spaceId))
      .limit(mostProjects);
  }

  /** @returns false for an id that is or was in use, and for a person who has {@link mostProjects}. */
  async make({ personId, spaceId }: PersonInSpace, name: string): Promise<boolean> {
    const made = await this.#sql`
      with made as (
        insert into account_space (space_id, name, made_by)
        select ${spaceId}, ${name}, ${personId}
        where not exists (select from chat_clearing where owner_id in (${spaceId}, md5(${spaceId})))
          and not exists (
            select from account_member where person_id = ${personId} and role = 'owner' offset ${mostProjects - 1}
          )
        on conflict do nothing
        returning space_id
      )
      insert into account_member (person_id, space_id, role)
      select ${personId}, space_id, 'owner' from made
      returning space_id`;
    return made.length > 0;
  }

  async change({ personId, spaceId }: PersonInSpace, change: ProjectChange): Promise<void> {
    const { personalMemory, ...ofAll } = change;
    if (personalMemory !== undefined)
      await this.#db
        .update(accountMember)
        .set({ personalMemory })
        .where(and(eq(accountMember.personId, personId), eq(accountMember.spaceId, spaceId)));
    if (Object.values(ofAll).every((value) => value === undefined)) return;
    await this.#db.update(accountSpace).set(ofAll).where(eq(accountSpace.spaceId, spaceId));
  }

  /** Repeating a deletion keeps the first moment. */
  async delete(spaceId: SpaceId): Promise<void> {
    const { deletedAt } = accountSpace;
    await this.#db
      .update(accountSpace)
      .set({ deletedAt: sql`least(${deletedAt}, now())` })
      .where(eq(accountSpace.spaceId, spaceId));
  }

  async restore(spaceId: SpaceId): Promise<boolean> {
    const isMeant = eq(accountSpace.spaceId, spaceId);
    const id = { spaceId: accountSpace.spaceId };
    const restored = await this.#db
      .update(accountSpace)
      .set({ deletedAt: null, restoredAt: sql`now()` })
      .where(and(isMeant, sql`${accountSpace.deletedAt} <> ${claimed}`))
      .returning(id);
    if (restored.length > 0) return true;
    const live = await this.#db
      .select(id)
      .from(accountSpace)
      .where(and(isMeant, isNull(accountSpace.deletedAt)));
    return live.length > 0;
  }

  /** A claimed project cannot be restored. @returns false for one that was not deleted longer ago than `deletedFor`. */
  async claim(spaceId: SpaceId, deletedFor: number | null): Promise<boolean> {
    const { deletedAt } = accountSpace;
    const isOld = deletedFor === null ? undefined : lt(deletedAt, ago(deletedFor));
    const found = await this.#db
      .update(accountSpace)
      .set({ deletedAt: claimed })
      .where(and(eq(accountSpace.spaceId, spaceId), isOld))
      .returning({ spaceId: accountSpace.spaceId });
    return found.length > 0;
  }

  deletedBefore(ms: number): Promise<SpaceId[]> {
    return this.#deleted(lt(accountSpace.deletedAt, ago(ms)));
  }

  deletedWithin(ms: number): Promise<SpaceId[]> {
    return this.#deleted(gt(accountSpace.deletedAt, ago(ms)));
  }

  async #deleted(when: SQL): Promise<SpaceId[]> {
    const { deletedAt, spaceId } = accountSpace;
    const rows = await this.#db
      .select({ spaceId })
      .from(accountSpace)
      .where(when)
      .orderBy(asc(deletedAt), asc(spaceId))
      .limit(100);
    return rows.map((row) => row.spaceId);
  }

  async remove(spaceId: SpaceId): Promise<void> {
    await this.#db.delete(accountSpace).where(eq(accountSpace.spaceId, spaceId));
  }
}
