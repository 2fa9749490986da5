-- The newest 400 matches and their ranks. Planned each time, because the word index suits a rare word, and reading
-- backwards in time a frequent one. All parts of a message weigh the same: their weights only tell them apart.
create or replace function chat_search_matches(
  _owner text, _session text, _words tsquery, _role text, _before timestamptz, _after timestamptz
)
returns table (
  branch_id bigint, pos integer, compaction_id bigint, session_id text, role text, created_at timestamptz, seq bigint,
  score float8
)
language plpgsql stable rows 400
set plan_cache_mode = force_custom_plan
as $$
#variable_conflict use_column
begin
  if _session is null then
    return query
      select
        match.branch_id, match.pos, match.compaction_id, match.session_id, match.role, match.created_at, match.seq,
        ts_rank('{0.1, 0.1, 0.1, 0.1}', match.tsv, _words)::float8
      from (
        select entry.*
        from chat_search entry
        where entry.owner_id = _owner and entry.tsv @@ _words
          and (_role is null or entry.role = _role and entry.compaction_id = 0)
          and (_before is null or entry.created_at < _before)
          and (_after is null or entry.created_at >= _after)
        order by entry.seq desc
        limit 400
      ) match;
    return;
  end if;

  return query
    with borrowed as materialized (
      select borrowed.branch_id, max(borrowed.upto) as upto
      from chat_borrowed(_owner, _session) borrowed
      group by borrowed.branch_id
    )
    select
      match.branch_id, match.pos, match.compaction_id, match.session_id, match.role, match.created_at, match.seq,
      ts_rank('{0.1, 0.1, 0.1, 0.1}', match.tsv, _words)::float8
    from (
      select entry.*
      from chat_search entry
      where entry.owner_id = _owner and entry.tsv @@ _words
        and (
          entry.session_id = _session
          or entry.compaction_id = 0 and exists (
            select from borrowed where borrowed.branch_id = entry.branch_id and entry.pos <= borrowed.upto
          )
        )
        and (_role is null or entry.role = _role and entry.compaction_id = 0)
        and (_before is null or entry.created_at < _before)
        and (_after is null or entry.created_at >= _after)
      order by entry.seq desc
      limit 400
    ) match;
end
$$;

-- For a message whose own session was deleted.
create or replace function chat_borrower(_owner text, _branch bigint, _pos integer)
returns text
language plpgsql stable
as $$
begin
  return (
    with recursive carrier as (
      select branch.branch_id, branch.session_id
      from chat_branch branch
      where branch.owner_id = _owner and branch.parent_branch = _branch and branch.base >= _pos
      union all
      select branch.branch_id, branch.session_id
      from carrier
      join chat_branch branch on branch.owner_id = _owner and branch.parent_branch = carrier.branch_id
      where branch.base >= _pos
    )
    select session.session_id
    from carrier
    join chat_session session
      on session.owner_id = _owner and session.session_id = carrier.session_id and session.deleted_at is null
      and (session.expires_at is null or session.expires_at > now())
    order by carrier.branch_id
    limit 1
  );
end
$$;
