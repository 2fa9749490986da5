import type { Sql } from "postgres";

export interface UsageRow {
  kind: string;
  session: string;
  model: string;
  inputTokens: number;
  cachedTokens: number;
  outputTokens: number;
  cost: number | null;
  isReported: boolean;
}

/**
 * Writes down a call, and adds it to the totals of its session, deleted or not; when that was last used stays. The same id
 * again changes nothing, and is `false`.
 */
export async function insertUsage(
  sql: Sql,
  row: UsageRow & { owner: string; id: string },
): Promise<boolean> {
  const calls = await sql`
    with call as (
      insert into chat_usage (
        owner_id, usage_id, kind, session_id, model, input_tokens, cached_tokens, output_tokens, cost, reported
      )
      values (
        ${row.owner}, ${row.id}, ${row.kind}, ${row.session}, ${row.model}, ${row.inputTokens}, ${row.cachedTokens},
        ${row.outputTokens}, ${row.cost}, ${row.isReported}
      )
      on conflict do nothing
      returning session_id, input_tokens, output_tokens, cost
    ),
    total as (
      update chat_session session
      set
        input_tokens = session.input_tokens + call.input_tokens,
        output_tokens = session.output_tokens + call.output_tokens,
        cost = session.cost + coalesce(call.cost, 0)
      from call
      where session.owner_id = ${row.owner} and session.session_id = call.session_id
    )
    select session_id from call`;
  return calls.length > 0;
}

/** Sums of one group: a day, a model, a session, a kind, or everything. */
export interface UsageSumRow {
  by: "day" | "model" | "session" | "kind" | "all";
  /** A date as `2026-01-31`, a model, a session or a kind; `null` for everything. */
  name: string | null;
  /** Of a session: its title, `null` when it is gone. */
  title: string | null;
  /** Of a session: whether it can be opened. */
  isThere: boolean;
  calls: number;
  inputTokens: number;
  cachedTokens: number;
  outputTokens: number;
  /** Dollars, of the calls with a known price. */
  cost: number;
  /** Calls without a known price, and those whose numbers are estimates. */
  unpricedCalls: number;
  estimatedCalls: number;
}

/**
 * What an owner used since the beginning of a day of a time zone, in one pass: by day, by model, by kind, by the 50
 * sessions that took most, and in all.
 *
 * @param query.days Counted back from today, today included; `null` from the first call on.
 */
export function sumUsage(
  sql: Sql,
  {
    owner,
    timeZone,
    days,
    now,
  }: { owner: string; timeZone: string; days: number | null; now: Date },
): Promise<UsageSumRow[]> {
  return sql<UsageSumRow[]>`
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
        coalesce(sum(input_tokens), 0)::bigint as input_tokens,
        coalesce(sum(cached_tokens), 0)::bigint as cached_tokens,
        coalesce(sum(output_tokens), 0)::bigint as output_tokens,
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
