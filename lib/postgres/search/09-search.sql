-- Words of people and models come before those of tools, which have the weight C: a match without the latter has a rank of
-- its own, plus one, and 32 words of tools alone stay below one of the others. The other parts weigh the same; their
-- weights only tell them apart. Inlined, so each rank is computed once.
create or replace function chat_search_score(_vector tsvector, _ranked tsquery)
returns float8
language sql immutable
as $$
  select coalesce(
    -- Without a pair of words to rank, it answers 1e-20.
    1 + nullif(greatest(ts_rank('{0.1, 0, 0.1, 0.1}', _vector, _ranked)::float8 - 1e-19, 0), 0),
    ts_rank('{0.1, 0.1, 0.1, 0.1}', _vector, _ranked)::float8 / 32
  )
$$;

-- Logs of programs, which no search finds that names no session. Those that are pinned or forked count as chats.
create or replace function chat_logs(_owner text)
returns text[]
language plpgsql stable
as $$
begin
  return array(
    select session.session_id
    from chat_session session
    where session.owner_id = _owner and (session.metadata -> 'program' ->> 'log') = 'true'
      and session.pinned_at is null and session.parent_session_id is null
  );
end
$$;

-- Chats that the programs of a name began, logs and archived ones included.
create or replace function chat_program_chats(_owner text, _program text)
returns text[]
language plpgsql stable
as $$
begin
  return array(
    select session.session_id
    from chat_session session
    where session.owner_id = _owner and (session.metadata -> 'program' ->> 'keyId') is not null
      and lower(session.metadata -> 'program' ->> 'name') = lower(_program)
  );
end
$$;

drop function if exists chat_search_matches(text, text, tsquery, text, timestamptz, timestamptz);
drop function if exists chat_spread_matches(text, text[], text, text, timestamptz, timestamptz, integer);
drop function if exists chat_best_hits(text, text, text[], text, text, timestamptz, timestamptz, integer);
drop function if exists chat_best_session_hits(text, text[], text, text, timestamptz, timestamptz, integer, integer);

-- The newest 400 matches and their ranks, in all sessions, in those of a program, or in one. Planned each time, because the
-- word index suits a rare word, and reading backwards in time a frequent one. Words that are excluded have no rank.
create or replace function chat_search_matches(
  _owner text, _session text, _words tsquery, _role text, _program text, _before timestamptz, _after timestamptz
)
returns table (
  branch_id bigint, pos integer, compaction_id bigint, session_id text, role text, created_at timestamptz, seq bigint,
  score float8
)
language plpgsql stable rows 400
set plan_cache_mode = force_custom_plan
set enable_seqscan = on
as $$
#variable_conflict use_column
declare
  _ranked tsquery := querytree(_words)::tsquery;
  _logs text[];
  _only text[] := chat_program_chats(_owner, _program);
begin
  if _session is not null then
    return query select * from chat_session_matches(_owner, _session, _words, _role, _before, _after);
    return;
  end if;
  _logs := chat_logs(_owner);
  return query
    select
      match.branch_id, match.pos, match.compaction_id, match.session_id, match.role, match.created_at, match.seq,
      chat_search_score(match.tsv, _ranked)
    from (
      select entry.*
      from chat_search entry
      where entry.owner_id = _owner and entry.tsv @@ _words
        and (_program is not null or entry.session_id <> all (_logs))
        and (_program is null or entry.session_id = any (_only))
        and (_role is null or entry.role = _role and entry.compaction_id = 0)
        and (_before is null or entry.created_at < _before)
        and (_after is null or entry.created_at >= _after)
      order by entry.seq desc
      limit 400
    ) match;
end
$$;

-- In a session and what it borrows, whatever its owner has written elsewhere: a session of 4,000 messages is read whole
-- in 4 ms. A longer one is read backwards as long as one message in 32 matches; otherwise the index of words is
-- faster.
create or replace function chat_session_matches(
  _owner text, _session text, _words tsquery, _role text, _before timestamptz, _after timestamptz
)
returns table (
  branch_id bigint, pos integer, compaction_id bigint, session_id text, role text, created_at timestamptz, seq bigint,
  score float8
)
language plpgsql stable rows 400
set plan_cache_mode = force_generic_plan
set enable_bitmapscan = off
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
  _branches bigint[];
  _uptos integer[];
  _owned boolean[];
  _top integer;
  _upper integer;
  _lower integer;
  _left integer := 400;
  _found integer;
  _ranked tsquery := querytree(_words)::tsquery;
begin
  select
    array_agg(seen.branch_id), array_agg(seen.upto), array_agg(seen.owned), max(seen.upto),
    case when sum(seen.upto - seen.base) > 4000 then greatest(max(seen.upto) - 500, 0) else 0 end
  into _branches, _uptos, _owned, _top, _lower
  from (
    select branch.branch_id, branch.base, branch.head as upto, true as owned
    from chat_branch branch
    where branch.owner_id = _owner and branch.session_id = _session
    union all
    select branch.branch_id, branch.base, max(borrowed.upto), false
    from chat_borrowed(_owner, _session) borrowed
    join chat_branch branch on branch.owner_id = _owner and branch.branch_id = borrowed.branch_id
    group by branch.branch_id, branch.base
  ) seen;

  _upper := _top;
  loop
    return query
      select
        match.branch_id, match.pos, match.compaction_id, match.session_id, match.role, match.created_at, match.seq,
        chat_search_score(match.tsv, _ranked)
      from (
        select entry.*
        from unnest(_branches, _uptos, _owned) seen (branch_id, upto, owned)
        cross join lateral (
          select candidate.*
          from chat_search candidate
          where candidate.owner_id = _owner and candidate.branch_id = seen.branch_id
            and candidate.pos > _lower and candidate.pos <= least(_upper, seen.upto)
            and (candidate.compaction_id = 0 or seen.owned) and candidate.tsv @@ _words
            and (_role is null or candidate.role = _role and candidate.compaction_id = 0)
            and (_before is null or candidate.created_at < _before)
            and (_after is null or candidate.created_at >= _after)
          offset 0
        ) entry
        order by entry.seq desc, entry.branch_id desc, entry.pos desc, entry.compaction_id desc
        limit _left
      ) match;
    get diagnostics _found = row_count;
    _left := _left - _found;
    if _lower = 0 or _left = 0 then return; end if;
    exit when (400 - _left) * 32 < _top - _lower;
    _upper := _lower;
    _lower := greatest(_lower - 2000, 0);
  end loop;
  return query
    select *
    from chat_indexed_matches(
      _owner, _branches, _uptos, _owned, _lower, _words, _role, _before, _after, _left
    );
end
$$;

-- Up to `_upper` of each branch, from the index of words. The index of branches would read all their vectors, and is
-- kept away by a sum.
create or replace function chat_indexed_matches(
  _owner text, _branches bigint[], _uptos integer[], _owned boolean[], _upper integer, _words tsquery, _role text,
  _before timestamptz, _after timestamptz, _most integer
)
returns table (
  branch_id bigint, pos integer, compaction_id bigint, session_id text, role text, created_at timestamptz, seq bigint,
  score float8
)
language plpgsql stable rows 400
set enable_indexscan = off
set enable_seqscan = off
as $$
#variable_conflict use_column
begin
  return query
    select
      match.branch_id, match.pos, match.compaction_id, match.session_id, match.role, match.created_at, match.seq,
      chat_search_score(match.tsv, ranked.words)
    from (
      select entry.*
      from (
        select candidate.*
        from chat_search candidate
        where candidate.owner_id = _owner and candidate.tsv @@ _words
          and candidate.branch_id + 0 = any (_branches) and candidate.pos <= _upper
          and (_role is null or candidate.role = _role and candidate.compaction_id = 0)
          and (_before is null or candidate.created_at < _before)
          and (_after is null or candidate.created_at >= _after)
        offset 0
      ) entry
      join unnest(_branches, _uptos, _owned) seen (branch_id, upto, owned) on seen.branch_id = entry.branch_id
      where entry.pos <= seen.upto and (entry.compaction_id = 0 or seen.owned)
      order by entry.seq desc, entry.branch_id desc, entry.pos desc, entry.compaction_id desc
      limit _most
    ) match
    cross join (select querytree(_words)::tsquery as words offset 0) ranked;
end
$$;

-- For a message whose own session was deleted: the nearest of its forks, the oldest first.
create or replace function chat_borrower(_owner text, _branch bigint, _pos integer)
returns text
language plpgsql stable
as $$
begin
  return (
    with recursive carrier as (
      select branch.branch_id, branch.session_id, branch.seen_as_of, 1 as depth
      from chat_branch branch
      where branch.owner_id = _owner and branch.parent_branch = _branch and branch.base >= _pos
      union all
      select branch.branch_id, branch.session_id, branch.seen_as_of, carrier.depth + 1
      from carrier
      join chat_branch branch on branch.owner_id = _owner and branch.parent_branch = carrier.branch_id
      where branch.base >= _pos
    )
    select session.session_id
    from carrier
    join chat_session session
      on session.owner_id = _owner and session.session_id = carrier.session_id and session.deleted_at is null
      and (session.expires_at is null or session.expires_at > now())
    order by carrier.depth, carrier.seen_as_of, session.session_id
    limit 1
  );
end
$$;

-- The newest 400 matches of each query and, where they lie in fewer than `_sessions` of the sessions searched, up to five of
-- each other session: those of a frequent word may all lie in one. Reads backwards until there are enough, at most 10,000
-- further matches of a query.
create or replace function chat_spread_matches(
  _owner text, _words text[], _role text, _tag text, _program text, _before timestamptz, _after timestamptz,
  _sessions integer
)
returns table (
  asked integer, branch_id bigint, pos integer, compaction_id bigint, session_id text, role text, created_at timestamptz,
  seq bigint, score float8
)
language plpgsql stable rows 400
set plan_cache_mode = force_custom_plan
set enable_seqscan = on
as $$
#variable_conflict use_column
declare
  _known text[] := '{}';
  _oldest bigint[];
  _counts integer[];
  _others text[] := '{}';
  _taken integer[] := '{}';
  _logs text[] := chat_logs(_owner);
  _only text[] := chat_program_chats(_owner, _program);
  _at integer;
  _query tsquery;
  _vector tsvector;
begin
  for _asked in 1 .. cardinality(_words) loop
    asked := _asked;
    _counts[asked] := 0;
    for branch_id, pos, compaction_id, session_id, role, created_at, seq, score in
      select * from chat_search_matches(_owner, null, _words[_asked]::tsquery, _role, _program, _before, _after)
    loop
      _counts[asked] := _counts[asked] + 1;
      _oldest[asked] := least(_oldest[asked], seq);
      if session_id <> all (_known) then _known := _known || session_id; end if;
      return next;
    end loop;
  end loop;

  select _sessions - count(*) into _sessions
  from chat_session session
  where session.owner_id = _owner and session.session_id = any (_known) and session.deleted_at is null
    and (session.expires_at is null or session.expires_at > now())
    and (_tag is null or _tag = any (session.tags));

  for _asked in 1 .. cardinality(_words) loop
    exit when _sessions <= 0;
    continue when _counts[_asked] < 400;
    asked := _asked;
    _query := _words[_asked]::tsquery;
    for branch_id, pos, compaction_id, session_id, role, created_at, seq, _vector in
      select
        entry.branch_id, entry.pos, entry.compaction_id, entry.session_id, entry.role, entry.created_at, entry.seq,
        entry.tsv
      from chat_search entry
      where entry.owner_id = _owner and entry.seq < _oldest[_asked] and entry.session_id <> all (_known)
        and entry.tsv @@ _query
        and (_program is not null or entry.session_id <> all (_logs))
        and (_program is null or entry.session_id = any (_only))
        and (_role is null or entry.role = _role and entry.compaction_id = 0)
        and (_before is null or entry.created_at < _before)
        and (_after is null or entry.created_at >= _after)
      order by entry.seq desc
      limit 10000
    loop
      exit when _sessions <= 0;
      _at := array_position(_others, session_id);
      continue when _taken[_at] >= 5;
      if _at is null then
        _others := _others || session_id;
        _taken := _taken || 1;
        if exists (
          select from chat_session session
          where session.owner_id = _owner and session.session_id = chat_spread_matches.session_id
            and session.deleted_at is null and (session.expires_at is null or session.expires_at > now())
            and (_tag is null or _tag = any (session.tags))
        ) then
          _sessions := _sessions - 1;
        end if;
      else
        _taken[_at] := _taken[_at] + 1;
      end if;
      score := chat_search_score(_vector, querytree(_query)::tsquery);
      return next;
    end loop;
  end loop;
end
$$;

-- The best matches with their texts. Ranks the newest 400 of each query: ranking reads the vectors, so a frequent word would
-- otherwise cost the whole corpus. Of several queries, one with few matches counts up to seven times one with 400. Looks up
-- messages from the best downwards until enough survive. A deleted session's message belongs to the oldest fork that
-- borrows it.
create or replace function chat_best_hits(
  _owner text, _session text, _words text[], _role text, _tag text, _program text, _before timestamptz,
  _after timestamptz, _limit integer
)
returns table (
  branch_id bigint, pos integer, compaction_id bigint, session_id text, role text, created_at timestamptz, score float8,
  seq bigint, title text, message_id text, content text
)
language plpgsql stable rows 20
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
#variable_conflict use_column
begin
  return query
    select
      match.branch_id, match.pos, match.compaction_id, shown_in.session_id, match.role, match.created_at,
      match.score, match.seq, shown_in.title, text.message_id, text.content
    from (
      select
        match.branch_id, match.pos, match.compaction_id, match.session_id, match.role, match.created_at, match.seq,
        sum(match.score * match.rarity)::float8 as score
      from unnest(_words) asked (words)
      cross join lateral (
        select found.*, 1 + ln(400.0 / count(*) over ()) as rarity
        from chat_search_matches(_owner, _session, asked.words::tsquery, _role, _program, _before, _after) found
      ) match
      group by
        match.branch_id, match.pos, match.compaction_id, match.session_id, match.role, match.created_at, match.seq
      order by score desc, match.seq desc, match.branch_id desc, match.pos desc, match.compaction_id desc
      offset 0
    ) match
    cross join lateral (
      select session.session_id, session.title
      from chat_session session
      where session.owner_id = _owner and session.deleted_at is null
        and (session.expires_at is null or session.expires_at > now())
        and session.session_id = coalesce(
          _session,
          (
            select own.session_id from chat_session own
            where own.owner_id = _owner and own.session_id = match.session_id and own.deleted_at is null
              and (own.expires_at is null or own.expires_at > now())
          ),
          case when match.compaction_id = 0 then chat_borrower(_owner, match.branch_id, match.pos) end
        )
        and (_tag is null or _tag = any (session.tags))
      offset 0
    ) shown_in
    cross join lateral (
      select message.id as message_id, message.content
      from chat_message message
      where match.compaction_id = 0 and message.owner_id = _owner and message.branch_id = match.branch_id
        and message.pos = match.pos and message.deletion_id is null
      union all
      select compaction.to_message_id, compaction.summary
      from chat_compaction compaction
      where compaction.owner_id = _owner and compaction.branch_id = match.branch_id
        and compaction.compaction_id = match.compaction_id and compaction.removed_moment is null
      offset 0
    ) text
    order by match.score desc, match.seq desc, match.branch_id desc, match.pos desc, match.compaction_id desc
    limit _limit;
end
$$;

-- The best sessions by their best match, each with up to `_each` hits. Looks up messages from the best session downwards.
create or replace function chat_best_session_hits(
  _owner text, _words text[], _role text, _tag text, _program text, _before timestamptz, _after timestamptz,
  _limit integer, _each integer
)
returns table (
  branch_id bigint, pos integer, compaction_id bigint, session_id text, role text, created_at timestamptz, score float8,
  seq bigint, title text, message_id text, content text
)
language plpgsql stable rows 20
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
  _session text;
  _left integer := _each;
begin
  for branch_id, pos, compaction_id, session_id, role, created_at, score, seq, title in
    with match as materialized (
      select
        found.branch_id, found.pos, found.compaction_id, found.session_id, found.role, found.created_at, found.seq,
        sum(found.score * found.rarity)::float8 as score
      from (
        select spread.*, 1 + ln(400.0 / least(400, count(*) over (partition by spread.asked))) as rarity
        from chat_spread_matches(_owner, _words, _role, _tag, _program, _before, _after, _limit) spread
      ) found
      group by
        found.branch_id, found.pos, found.compaction_id, found.session_id, found.role, found.created_at, found.seq
    ),
    open as materialized (
      select session.session_id, session.title, _tag is null or _tag = any (session.tags) as is_asked
      from (select distinct match.session_id from match) written_in
      join chat_session session
        on session.owner_id = _owner and session.session_id = written_in.session_id and session.deleted_at is null
        and (session.expires_at is null or session.expires_at > now())
    ),
    shown as (
      select match.*, open.session_id as shown_id, open.title as shown_title
      from match
      join open on open.session_id = match.session_id and open.is_asked
      union all
      select match.*, session.session_id, session.title
      from match
      cross join lateral (
        select chat_borrower(_owner, match.branch_id, match.pos) as session_id offset 0
      ) borrower
      join chat_session session on session.owner_id = _owner and session.session_id = borrower.session_id
      where match.compaction_id = 0 and not exists (select from open where open.session_id = match.session_id)
        and (_tag is null or _tag = any (session.tags))
    )
    select
      shown.branch_id, shown.pos, shown.compaction_id, shown.shown_id, shown.role, shown.created_at, shown.score,
      shown.seq, shown.shown_title
    from shown
    window best_first as (partition by shown.shown_id order by shown.score desc, shown.seq desc)
    order by
      first_value(shown.score) over best_first desc, first_value(shown.seq) over best_first desc, shown.shown_id,
      shown.score desc, shown.seq desc, shown.branch_id desc, shown.pos desc, shown.compaction_id desc
  loop
    if session_id is distinct from _session then
      if _session is not null and _left < _each then _limit := _limit - 1; end if;
      exit when _limit = 0;
      _session := session_id;
      _left := _each;
    end if;
    continue when _left = 0;
    select message.id, message.content into message_id, content
    from chat_message message
    where chat_best_session_hits.compaction_id = 0 and message.owner_id = _owner
      and message.branch_id = chat_best_session_hits.branch_id and message.pos = chat_best_session_hits.pos
      and message.deletion_id is null
    union all
    select compaction.to_message_id, compaction.summary
    from chat_compaction compaction
    where compaction.owner_id = _owner and compaction.branch_id = chat_best_session_hits.branch_id
      and compaction.compaction_id = chat_best_session_hits.compaction_id and compaction.removed_moment is null;
    continue when not found;
    _left := _left - 1;
    return next;
  end loop;
end
$$;

drop function if exists chat_search_hits(text, text, text[], text, text, timestamptz, timestamptz, integer);
drop function if exists chat_search_hits(text, text, text[], text, text, timestamptz, timestamptz, integer, integer);

-- The best matches, or with `_each` those of the best sessions, with their places. A function, because its plan took a third
-- of the time.
create or replace function chat_search_hits(
  _owner text, _session text, _words text[], _role text, _tag text, _program text, _before timestamptz,
  _after timestamptz, _limit integer, _each integer
)
returns table (
  compaction_id bigint, session_id text, title text, role text, created_at timestamptz, score float8, message_id text,
  content text, place text
)
language plpgsql stable rows 20
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
#variable_conflict use_column
begin
  return query
    with hit as materialized (
      select *
      from chat_best_hits(_owner, _session, _words, _role, _tag, _program, _before, _after, _limit)
      where _each is null
      union all
      select *
      from chat_best_session_hits(_owner, _words, _role, _tag, _program, _before, _after, _limit, _each)
      where _each is not null
    ),
    place as materialized (
      select session.session_id, active.via, active.pos
      from (select distinct hit.session_id from hit) session
      cross join lateral chat_active(_owner, session.session_id) active
    ),
    shown as materialized (
      select place.session_id, shown.from_pos, shown.to_pos
      from place
      cross join lateral (
        select where chat_has_loans(_owner, place.session_id) or exists (
          select from chat_compaction compaction
          where compaction.owner_id = _owner and compaction.session_id = place.session_id
        )
        offset 0
      ) asked
      cross join lateral chat_shown_compactions(_owner, place.via, place.pos) shown
    )
    select
      hit.compaction_id, hit.session_id, hit.title, hit.role, hit.created_at, hit.score, hit.message_id, hit.content,
      case
        when hit.compaction_id <> 0 then 'summary'
        when not (
          (hit.branch_id = place.via and hit.pos <= place.pos) is true
          or exists (
            select from chat_segments(_owner, place.via, place.pos) segment
            where segment.branch_id = hit.branch_id and segment.lo < hit.pos and hit.pos <= segment.hi
          )
        ) then 'branch'
        when exists (
          select from shown
          where shown.session_id = hit.session_id and shown.from_pos <= hit.pos and hit.pos <= shown.to_pos
        ) then 'under-summary'
        else 'active'
      end as place
    from hit
    left join place on place.session_id = hit.session_id
    order by hit.score desc, hit.seq desc, hit.branch_id desc, hit.pos desc, hit.compaction_id desc;
end
$$;
