import type { PersonId, SpaceId } from "@/lib/chat/core/person-in-space";
import type { UsageEntry, UsageLog, UsageSum, UsageSums } from "@/lib/chat/core/usage-log";
import { postgresFailure, type Sql, storableCost, storableCount } from "@/lib/postgres/storage";

const unknownZone = "22023";

export class PostgresUsage implements UsageLog, UsageSums {
  readonly #sql: Sql;
  readonly #owner: SpaceId;
  readonly #person: PersonId | null;

  constructor(sql: Sql, spaceId: SpaceId, personId: PersonId | null = null) {
    this.#sql = sql;
    this.#owner = spaceId;
    this.#person = personId;
  }

  async record({ id, isReported, ...entry }: UsageEntry): Promise<boolean> {
    const [row] = await this.#sql<{ isNew: boolean }[]>`
      select chat_record_usage(
        ${this.#owner}, ${id}, ${entry.kind}, ${entry.sessionId}, ${entry.model}, ${storableCount(entry.inputTokens)},
        ${storableCount(entry.cachedTokens)}, ${storableCount(entry.outputTokens)}, ${storableCost(entry.cost)},
        ${isReported}, ${entry.keyId ?? null}, ${storableCost(entry.charge ?? null)}, ${this.#person}
      ) as "isNew"`;
    return row?.isNew ?? false;
  }

  async sums(options: { timeZone: string; days: number | null; now?: Date }): Promise<UsageSum[]> {
    try {
      return await sumUsage(this.#sql, { now: new Date(), ...options, owner: this.#owner });
    } catch (cause) {
      if (postgresFailure(cause)?.code !== unknownZone) throw cause;
      throw new RangeError(`Unknown time zone: ${options.timeZone}`, { cause });
    }
  }
}

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
        coalesce(usage.space_id, '') as space_id,
        usage.input_tokens, usage.cached_tokens, usage.output_tokens, usage.cost, usage.reported
      from chat_usage usage
      where usage.owner_id = ${owner} and usage.reserved_until is null and (
        ${days}::integer is null or usage.created_at >= (
          date_trunc('day', ${now}::timestamptz at time zone ${timeZone}) - (${days ?? 1}::integer - 1) * interval '1 day'
        ) at time zone ${timeZone}
      )
    ),
    summed as (
      select
        case grouping(day, model, session_id, kind, space_id)
          when 15 then 'day' when 23 then 'model' when 27 then 'session' when 29 then 'kind' when 30 then 'project'
          else 'all'
        end as by,
        coalesce(day, model, session_id, kind, space_id) as name,
        count(*)::integer as calls,
        least(coalesce(sum(input_tokens), 0), 9007199254740991)::bigint as input_tokens,
        least(coalesce(sum(cached_tokens), 0), 9007199254740991)::bigint as cached_tokens,
        least(coalesce(sum(output_tokens), 0), 9007199254740991)::bigint as output_tokens,
        coalesce(sum(cost), 0)::float8 as cost,
        (count(*) filter (where cost is null))::integer as unpriced_calls,
        (count(*) filter (where not reported))::integer as estimated_calls
      from call
      group by grouping sets ((day), (model), (session_id), (kind), (space_id), ())
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
    where ranked.by not in ('session', 'project') or (ranked.place <= 50 and ranked.name <> '')
    order by ranked.by, case when ranked.by = 'day' then ranked.name end, ranked.place`;
}
