import type { Sql } from "postgres";
import { postgresFailure } from "@/lib/postgres/database-error";
import type { chatUsage } from "@/lib/postgres/schema";
import { storableCost, storableCount } from "@/lib/postgres/storable";

const unknownZone = "22023";

type UsageRow = typeof chatUsage.$inferSelect;

export type UsageRecord = Readonly<
  Pick<UsageRow, "kind" | "sessionId" | "model" | "inputTokens" | "cachedTokens"> &
    Pick<UsageRow, "outputTokens" | "cost"> & {
      id: string;
      isReported: boolean;
      keyId?: string | undefined;
      charge?: number | undefined;
    }
>;

interface UsageSum {
  by: "day" | "model" | "session" | "kind" | "all";
  /** A date as `2026-01-31`, a model, a session or a kind; `null` for the total. */
  name: string | null;
  title: string | null;
  isThere: boolean;
  calls: number;
  inputTokens: number;
  cachedTokens: number;
  outputTokens: number;
  /** Dollars, of calls with a known price. */
  cost: number;
  unpricedCalls: number;
  estimatedCalls: number;
}

export class PostgresUsage {
  readonly #sql: Sql;
  readonly #owner: string;

  constructor(sql: Sql, ownerId: string) {
    this.#sql = sql;
    this.#owner = ownerId;
  }

  /**
   * Adds to the totals of its session, deleted or not. Idempotent; a report replaces an estimate. @returns false for a
   * repeated id.
   */
  async record({ id, isReported, ...entry }: UsageRecord): Promise<boolean> {
    const [row] = await this.#sql<{ isNew: boolean }[]>`
      select chat_record_usage(
        ${this.#owner}, ${id}, ${entry.kind}, ${entry.sessionId}, ${entry.model}, ${storableCount(entry.inputTokens)},
        ${storableCount(entry.cachedTokens)}, ${storableCount(entry.outputTokens)}, ${storableCost(entry.cost)},
        ${isReported}, ${entry.keyId ?? null}, ${storableCost(entry.charge ?? null)}
      ) as "isNew"`;
    return row?.isNew ?? false;
  }

  /** `days` counts back from today, `null` starts at the first call. @throws {RangeError} */
  async sums(options: { timeZone: string; days: number | null; now?: Date }): Promise<UsageSum[]> {
    try {
      return await sumUsage(this.#sql, { now: new Date(), ...options, owner: this.#owner });
    } catch (cause) {
      if (postgresFailure(cause)?.code !== unknownZone) throw cause;
      throw new RangeError(`Unknown time zone: ${options.timeZone}`, { cause });
    }
  }
}

/**
 * One pass: by day, model, kind, the 50 largest sessions, and total.
 *
 * @param query.days counted back from today, included; `null` from the first call.
 */
function sumUsage(
  sql: Sql,
  {
    owner,
    timeZone,
    days,
    now,
  }: { owner: string; timeZone: string; days: number | null; now: Date },
): Promise<UsageSum[]> {
  return sql<UsageSum[]>`
    with call as (
      select
        to_char(usage.created_at at time zone ${timeZone}, 'YYYY-MM-DD') as day, usage.model, usage.session_id, usage.kind,
        usage.input_tokens, usage.cached_tokens, usage.output_tokens, usage.cost, usage.reported
      from chat_usage usage
      where usage.owner_id = ${owner} and (
        ${days}::integer is null or usage.created_at >= (
          date_trunc('day', ${now}::timestamptz at time zone ${timeZone}) - (${days ?? 1}::integer - 1) * interval '1 day'
        ) at time zone ${timeZone}
      )
    ),
    summed as (
      select
        case grouping(day, model, session_id, kind)
          when 7 then 'day' when 11 then 'model' when 13 then 'session' when 14 then 'kind' else 'all'
        end as by,
        coalesce(day, model, session_id, kind) as name,
        count(*)::integer as calls,
        least(coalesce(sum(input_tokens), 0), 9007199254740991)::bigint as input_tokens,
        least(coalesce(sum(cached_tokens), 0), 9007199254740991)::bigint as cached_tokens,
        least(coalesce(sum(output_tokens), 0), 9007199254740991)::bigint as output_tokens,
        coalesce(sum(cost), 0)::float8 as cost,
        (count(*) filter (where cost is null))::integer as unpriced_calls,
        (count(*) filter (where not reported))::integer as estimated_calls
      from call
      group by grouping sets ((day), (model), (session_id), (kind), ())
    ),
    ranked as (
      select
        summed.*,
        row_number() over (
          partition by summed.by order by summed.cost desc, summed.input_tokens + summed.output_tokens desc, summed.name
        ) as place
      from summed
    )
    select
      ranked.by, ranked.name, session.title, session.session_id is not null as "isThere", ranked.calls,
      ranked.input_tokens as "inputTokens", ranked.cached_tokens as "cachedTokens", ranked.output_tokens as "outputTokens",
      ranked.cost, ranked.unpriced_calls as "unpricedCalls", ranked.estimated_calls as "estimatedCalls"
    from ranked
    left join chat_session session
      on ranked.by = 'session' and session.owner_id = ${owner} and session.session_id = ranked.name
      and session.deleted_at is null
    where ranked.by <> 'session' or ranked.place <= 50
    order by ranked.by, case when ranked.by = 'day' then ranked.name end, ranked.place`;
}
