import type { Sql } from "grove-session/postgres";
import type { PersonId } from "@/lib/chat/core/person-in-space";
import { PostgresSettings } from "@/lib/storage/settings/postgres-settings";
import {
  everyoneId,
  type Limits,
  type PersonPolicy,
  policyOf,
  policyOwnerId,
} from "./person-policies";

export interface Spent {
  /** Prices that no setting of the person changes. */
  readonly dollars: number;
  readonly messages: number;
}

export class PersonLimitsStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** `null` for a person without an account or without limits. */
  async limitsOf(
    personId: PersonId,
  ): Promise<{ userId: string; limits: Limits; policy: PersonPolicy } | null> {
    const [row] = await this.#sql<{ userId: string; own: unknown; everyone: unknown }[]>`
      select person.id as "userId", own.settings as own, everyone.settings as everyone
      from account_user person
      left join chat_owner own on own.owner_id = ${policyOwnerId("")} || person.id
      left join chat_owner everyone on everyone.owner_id = ${policyOwnerId(everyoneId)}
      where person.owner_id = ${personId}`;
    if (!row) return null;
    const policy = policyOf(row.own);
    const limits = policy.limits ?? policyOf(row.everyone).limits;
    return limits && { userId: row.userId, limits, policy };
  }

  async limitsOfEveryone(): Promise<Limits | null> {
    const settings = new PostgresSettings(this.#sql, policyOwnerId(everyoneId));
    return policyOf(await settings.read()).limits;
  }

  /** Usage that the person deleted since counts, too. */
  async spentBy(personId: PersonId, { carried }: PersonPolicy): Promise<Spent> {
    const { recorded, running, deleted } = await this.#usageOf(personId, carried);
    return {
      dollars: recorded.dollars + deleted.dollars,
      messages: recorded.messages + running + deleted.messages,
    };
  }

  async deletedBy(personId: PersonId, { carried }: PersonPolicy): Promise<Spent> {
    if (carried === null) return { dollars: 0, messages: 0 };
    return (await this.#usageOf(personId, carried)).deleted;
  }

  /** Repeating the call changes nothing, whatever was deleted meanwhile. */
  async carriedBy(
    personId: PersonId,
    { carried }: PersonPolicy,
  ): Promise<NonNullable<PersonPolicy["carried"]>> {
    const { recorded, deleted, month, day, at } = await this.#usageOf(personId, carried);
    const dollars = recorded.dollars + deleted.dollars;
    return { month, day, at, dollars, messages: recorded.messages + deleted.messages };
  }

  async #usageOf(personId: PersonId, carried: PersonPolicy["carried"]) {
    const at = carried?.at ?? "-infinity";
    const [row] = await this.#sql<
      {
        month: string;
        day: string;
        at: string;
        dollars: number;
        dollarsBefore: number;
        messages: number;
        messagesBefore: number;
        running: number;
      }[]
    >`
      select
        to_char(now() at time zone 'UTC', 'YYYY-MM') as month,
        to_char(now() at time zone 'UTC', 'YYYY-MM-DD') as day,
        to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at,
        coalesce(sum(usage.dollars) filter (where not usage.is_held), 0)::float8 as dollars,
        coalesce(sum(usage.dollars) filter (where usage.is_before and not usage.is_held), 0)::float8 as "dollarsBefore",
        count(*) filter (where usage.is_message)::integer as messages,
        count(*) filter (where usage.is_message and usage.is_before)::integer as "messagesBefore",
        count(*) filter (where usage.is_held and usage.is_answer)::integer + (
          select count(*)::integer
          from chat_run run
          where run.owner_id = ${personId} and run.kind = 'answer' and run.status = 'running' and not exists (
            select from chat_usage recorded
            where recorded.owner_id = run.owner_id and recorded.usage_id = 'answer ' || run.run_id
          )
        ) as running
      from (
        select greatest(coalesce(charge, cost), 0) as dollars, created_at <= ${at}::text::timestamptz as is_before,
          reserved_until is null and kind = 'answer' and created_at >= date_trunc('day', now(), 'UTC') as is_message,
          reserved_until is not null as is_held, kind = 'answer' as is_answer
        from chat_usage
        where owner_id = ${personId} and created_at >= date_trunc('month', now(), 'UTC')
      ) usage`;
    if (!row) throw new Error("The usage of a person was not read.");
    const { month, day, running } = row;
    const missing = (counted: number, left: number) => Math.max(0, counted - left);
    return {
      ...{ month, day, at: row.at, running },
      recorded: { dollars: row.dollars, messages: row.messages },
      deleted: {
        dollars: carried?.month === month ? missing(carried.dollars, row.dollarsBefore) : 0,
        messages: carried?.day === day ? missing(carried.messages, row.messagesBefore) : 0,
      },
    };
  }

  /** Bytes of files. */
  async storedBy(personId: PersonId): Promise<number> {
    const [row] = await this.#sql<{ bytes: number }[]>`
      select chat_counted_bytes(${personId})::float8 as bytes`;
    return row?.bytes ?? 0;
  }

  async storedOfEveryone(): Promise<ReadonlyMap<string, number>> {
    const rows = await this.#sql<{ id: string; bytes: number }[]>`
      select person.id, chat_counted_bytes(person.owner_id)::float8 as bytes
      from account_user person
      order by person.id
      limit 1000`;
    return new Map(rows.map(({ id, bytes }) => [id, bytes]));
  }

  async dollarsOfEveryone(): Promise<ReadonlyMap<string, number>> {
    const rows = await this.#sql<{ id: string; dollars: number }[]>`
      select person.id, coalesce(sum(greatest(coalesce(usage.charge, usage.cost), 0)), 0)::float8 as dollars
      from account_user person
      left join chat_usage usage
        on usage.owner_id = person.owner_id and usage.created_at >= date_trunc('month', now(), 'UTC')
          and usage.reserved_until is null
      group by person.id
      order by person.id
      limit 1000`;
    return new Map(rows.map(({ id, dollars }) => [id, dollars]));
  }
}
