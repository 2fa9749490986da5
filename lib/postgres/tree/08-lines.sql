-- Newest first: messages, and for each shown summary one line and its pinned messages. Walks branch by branch and stops
-- at `_limit` lines, so neither path length nor branch count is paid for. `_beside` is the number of lines whose parent
-- and alternatives are looked up; both are null for a message without alternatives whose parent is the next line.
-- `_after` and `_before` are exclusive; a summary stands half a position before the first message it covers. `leaf_id`
-- is null where the newest line is the leaf.
create or replace function chat_lines(
  _owner text, _session text, _leaf text, _after float8, _before float8, _limit integer, _overlays boolean,
  _beside integer
)
returns table (
  "position" float8, id text, role text, created_at timestamptz, pinned boolean, label text, content text,
  parent_id text, sibling_ids text[], summarized json, leaf_id text
)
language plpgsql stable rows 50
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
-- A history of 10,000 messages would go through a file.
set work_mem = '64MB'
as $$
#variable_conflict use_column
declare
  _via bigint;
  _at integer;
  _leaf_id text;
  _shown chat_compaction[];
  _over chat_compaction;
  _next integer := 1;
  _hidden integer := 0;
  _branch bigint;
  _parent bigint;
  _lo integer;
  _floor integer;
  _from integer;
  _to integer;
  _near integer;
  _left integer[];
  _sent integer := 0;
  _count integer;
begin
  perform chat_open(_owner, _session);
  if _leaf is null then
    select branch.branch_id, coalesce(session.active_pos, branch.head) into _via, _at
    from chat_session session
    join chat_branch branch on branch.owner_id = _owner and branch.branch_id = session.active_branch
    where session.owner_id = _owner and session.session_id = _session and session.deleted_at is null;
  else
    select located.via, located.pos into _via, _at from chat_locate(_owner, _session, _leaf) located;
  end if;
  if not found then return; end if;

  if _overlays and (
    exists (
      select from chat_compaction compaction where compaction.owner_id = _owner and compaction.session_id = _session
    )
    or chat_has_loans(_owner, _session)
  ) then
    _shown := array(
      select shown::chat_compaction from chat_shown_compactions(_owner, _via, _at) shown order by shown.to_pos desc
    );
    _over := _shown[1];
  end if;

  if _before <= _at or _at <= _over.to_pos then
    select leaf.id into _leaf_id from chat_at(_owner, _via, _at) leaf;
  end if;

  _after := greatest(_after, -1);
  _before := least(_before, 2147483647);
  _branch := _via;
  while _branch is not null and _at > _after and _sent < _limit loop
    select branch.parent_branch, branch.base, least(_at, case when _branch = _via then branch.head else _at end)
    into _parent, _lo, _at
    from chat_branch branch
    where branch.owner_id = _owner and branch.branch_id = _branch;

    while _at > _lo and _sent < _limit loop
      if _at <= _over.to_pos then
        _floor := greatest(_lo, _over.from_pos - 1);
      else
        _floor := greatest(_lo, coalesce(_over.to_pos, 0));
      end if;
      _from := greatest(_floor, floor(_after)::integer) + 1;
      _to := least(_at, ceil(_before)::integer - 1);

      if _at <= _over.to_pos then
        if _from <= _to then
          return query
            select
              message.pos::float8, message.id, message.role, message.created_at, true, message.label, message.content,
              beside.parent_id, beside.sibling_ids, null::json, _leaf_id
            from (
              select candidate.*
              from chat_message candidate
              where candidate.owner_id = _owner and candidate.branch_id = _branch
                and candidate.pos between _from and _to and candidate.pinned and candidate.deletion_id is null
              order by candidate.pos desc
              limit _limit - _sent
            ) message
            left join lateral (
              select found.parent_id, found.sibling_ids
              from (select where _sent < _beside offset 0) wanted
              cross join lateral chat_beside(_owner, _session, _branch, message.pos) found
            ) beside on true;
          get diagnostics _count = row_count;
          _sent := _sent + _count;
        end if;
        _hidden := _hidden + chat_surviving(_owner, _branch, _floor, _at);
        if _floor < _over.from_pos then
          if _sent < _limit and _over.from_pos - 0.5 > _after and _over.from_pos - 0.5 < _before then
            return query
              select
                _over.from_pos - 0.5::float8, 'compaction_' || _over.id, 'user', _over.created_at, false, null::text,
                _over.summary, beside.parent_id, beside.sibling_ids,
                json_build_object(
                  'from', _over.from_message_id, 'to', _over.to_message_id, 'metadata', _over.metadata,
                  'count', _hidden
                ),
                _leaf_id
              from (values (1)) line
              left join lateral (
                select found.parent_id, found.sibling_ids
                from (select where _sent < _beside offset 0) wanted
                cross join lateral chat_beside(_owner, _session, _via, _over.from_pos) found
              ) beside on true;
            _sent := _sent + 1;
          end if;
          _next := _next + 1;
          _over := _shown[_next];
          _hidden := 0;
        end if;

      elsif _from <= _to then
        if _sent < _beside then
          -- A message that follows another in its branch, where no branch leaves, stands alone. Only the others are
          -- looked up; departures are read at once for as far as the lines are likely to reach.
          _near := greatest(_from, _to - 2 * (_limit - _sent)) - 1;
          _left := array(
            select distinct branch.base
            from chat_branch branch
            where branch.owner_id = _owner and branch.parent_branch = _branch and branch.base >= _near and branch.base < _to
          );
          return query
            select
              line.pos::float8, line.id, line.role, line.created_at, line.pinned, line.label, line.content,
              beside.parent_id, beside.sibling_ids,
              null::json, _leaf_id
            from (
              select
                message.*, row_number() over path as n,
                coalesce(lead(message.pos) over path = message.pos - 1, false)
                  and case when message.pos > _near then message.pos - 1 <> all (_left) else (
                    select branch.branch_id
                    from chat_branch branch
                    where branch.owner_id = _owner and branch.parent_branch = _branch and branch.base = message.pos - 1
                    limit 1
                  ) is null end as alone
              from (
                select candidate.*
                from chat_message candidate
                where candidate.owner_id = _owner and candidate.branch_id = _branch
                  and candidate.pos between _from and _to and candidate.deletion_id is null
                order by candidate.pos desc
                limit _limit - _sent
              ) message
              window path as (order by message.pos desc)
            ) line
            left join lateral (
              select found.parent_id, found.sibling_ids
              from (select where not line.alone and _sent + line.n <= _beside offset 0) wanted
              cross join lateral chat_beside(_owner, _session, _branch, line.pos) found
            ) beside on true
            order by line.pos desc;
        else
          return query
            select
              message.pos::float8, message.id, message.role, message.created_at, message.pinned,
              message.label, message.content,
              null::text, null::text[], null::json, _leaf_id
            from chat_message message
            where message.owner_id = _owner and message.branch_id = _branch
              and message.pos between _from and _to and message.deletion_id is null
            order by message.pos desc
            limit _limit - _sent;
        end if;
        get diagnostics _count = row_count;
        _sent := _sent + _count;
      end if;
      _at := _floor;
    end loop;
    _at := least(_at, _lo);
    _branch := _parent;
  end loop;
end
$$;

-- Where the `_count`th line after `_after` stands, counted from the root: `chat_lines` ends before it to give the oldest
-- of a path. Null where there are fewer.
create or replace function chat_nth(
  _owner text, _session text, _leaf text, _after float8, _count integer, _overlays boolean
)
returns float8
language plpgsql stable
set enable_seqscan = off
as $$
declare
  _via bigint;
  _at integer;
  _ranges int4multirange := '{}';
  _summaries float8[] := '{}';
  _piece record;
  _seen integer := 0;
  _found integer;
  _last integer;
begin
  select place.via, place.pos into _via, _at from chat_place(_owner, _session, _leaf) place;
  if not found then return null; end if;
  if _overlays then
    select coalesce(range_agg(int4range(shown.from_pos, shown.to_pos, '[]')), '{}'), coalesce(array_agg(shown.from_pos - 0.5::float8), '{}')
    into _ranges, _summaries
    from chat_shown_compactions(_owner, _via, _at) shown;
  end if;
  -- Pieces of branches that are shown, those under a summary, of which the pinned are, and summaries.
  for _piece in
    with path as materialized (
      select
        segment.branch_id,
        int4multirange(int4range(greatest(segment.lo, floor(_after)::integer) + 1, segment.hi, '[]')) as span
      from chat_segments(_owner, _via, _at) segment
      where segment.hi > greatest(segment.lo, floor(_after)::integer)
    )
    select path.branch_id, lower(bare)::float8 as start, upper(bare) - 1 as stop, false as pinned
    from path cross join lateral unnest(path.span - _ranges) bare
    union all
    select path.branch_id, lower(covered)::float8, upper(covered) - 1, true
    from path cross join lateral unnest(path.span * _ranges) covered
    union all
    select null, summary, null, false from unnest(_summaries) summary where summary > _after
    order by start
  loop
    if _piece.branch_id is null then
      _found := 1;
    else
      select count(*), max(nearest.pos) into _found, _last
      from (
        select message.pos
        from chat_message message
        where message.owner_id = _owner and message.branch_id = _piece.branch_id
          and message.pos between _piece.start::integer and _piece.stop and message.deletion_id is null
          and (not _piece.pinned or message.pinned)
        order by message.pos
        limit _count - _seen
      ) nearest;
    end if;
    _seen := _seen + _found;
    if _seen = _count then return coalesce(_last, _piece.start); end if;
    _last := null;
  end loop;
  return null;
end
$$;
