-- Ends a run and stores its answer, both or neither. No row, or GR014 when it changed meanwhile, unless its status is one of
-- `_from` and no process has taken it over since it had `_fence`. The session is locked before the run, as everywhere.
-- `_message` (null: none) has `id`, `content`, `preview`, `tsv`, `skills`, `place` and `parent`; `place` is 'under'
-- (the parent), 'behind' (the newest message, without showing it) or 'instead' (of what is stored under its id).
create or replace function chat_end_run(
  _owner text, _run text, _fence integer, _from text[], _status text, _receipt jsonb, _problem text, _pause jsonb,
  _session text, _message json
)
returns table (stored text, parent_id text)
language plpgsql
as $$
#variable_conflict use_column
declare
  _answer record;
  _stored text;
  _parent_id text;
begin
  if not exists (
    select from chat_run run
    where run.owner_id = _owner and run.run_id = _run and run.status = any (_from) and run.fence = _fence
  ) then
    return;
  end if;

  if _message is not null then
    select given.* into _answer
    from json_to_record(_message) as given (
      id text, content text, preview text, tsv tsvector, skills json, place text, parent text
    );
    if _answer.place = 'instead' then
      if chat_update_message(
        _owner, _session, _answer.id, _answer.content, _answer.preview, _answer.tsv, _answer.skills
      ) then
        _stored := 'changed';
      end if;
    else
      select added.parent_id into _parent_id
      from chat_append(
        _owner, _session, _answer.id, 'assistant', _answer.content, _answer.preview, _answer.tsv, null,
        case when _answer.place = 'under' then 'message' else 'leaf' end, _answer.parent,
        case when _answer.place = 'under' then 'follow' else 'no' end, _answer.skills, 'session'
      ) added;
      _stored := 'added';
    end if;
  end if;

  update chat_run run
  set
    status = _status, error = coalesce(_problem, run.error), pause = coalesce(_pause, run.pause), questions = null,
    receipt = case when _receipt is null then run.receipt else coalesce(run.receipt, '{}') || _receipt end,
    -- A program reads its own answers, and a paused one is ended by the person.
    unread = run.kind = 'answer' and run.key_id is null and _status <> 'paused' and run.status <> 'paused',
    finished_at = now()
  where run.owner_id = _owner and run.run_id = _run and run.status = any (_from) and run.fence = _fence;
  if not found then
    raise exception 'run ended' using errcode = 'GR014', detail = _run;
  end if;
  return query select _stored, _parent_id;
end
$$;

-- Which limit keeps a new run from starting: 'messages', 'dollars' or 'key'; null for none, and for a run that is there. What
-- running ones have reserved counts. Others of the person wait until the transaction that asked has stored its run.
-- `_owners` are a person's: their own first, then that of their temporary chats.
create or replace function chat_over_budget(
  _owner text, _run text, _owners text[], _messages double precision, _dollars double precision, _key text,
  _key_dollars double precision
)
returns text
language plpgsql
as $$
declare
  _month timestamptz := date_trunc('month', now(), 'UTC');
  _sent double precision;
  _spent double precision;
begin
  perform pg_advisory_xact_lock(hashtextextended('chat_budget ' || _owners[1], 0));
  -- Statements of their own, which see what others have stored meanwhile.
  if exists (select from chat_run run where run.owner_id = _owner and run.run_id = _run) then return null; end if;
  select
    count(*) filter (where usage.kind = 'answer' and usage.created_at >= date_trunc('day', now(), 'UTC')),
    coalesce(sum(greatest(coalesce(usage.charge, usage.cost), 0)), 0)
  into _sent, _spent
  from chat_usage usage
  where usage.owner_id = any (_owners) and usage.created_at >= _month;
  select
    _sent + count(*) filter (where run.kind = 'answer' and not exists (
      select from chat_usage usage where usage.owner_id = any (_owners) and usage.usage_id = 'answer ' || run.run_id
    )),
    _spent + coalesce(sum(run.reserved), 0)
  into _sent, _spent
  from chat_run run
  where run.owner_id = any (_owners) and run.status = 'running';
  if _sent >= _messages then return 'messages'; end if;
  if _spent >= _dollars then return 'dollars'; end if;
  if _key_dollars is null then return null; end if;

  select
    coalesce((
      select sum(greatest(coalesce(usage.cost, usage.charge), 0))
      from chat_usage usage
      where usage.owner_id = any (_owners) and usage.key_id = _key and usage.created_at >= _month
    ), 0) + coalesce((
      select sum(run.reserved)
      from chat_run run
      where run.owner_id = any (_owners) and run.key_id = _key and run.status = 'running'
    ), 0)
  into _spent;
  return case when _spent >= _key_dollars then 'key' end;
end
$$;

-- Holds what a run of a project may cost in the usage of the person who pays, their `_owner`, for `_keep_ms`; a sweep looks
-- again then. `_owners` null: whatever the limits say. The refusal of `chat_over_budget`, 'held', or 'known' for one that is
-- held already.
drop function if exists chat_hold(
  text, text, text, text, text, double precision, double precision, text[], double precision, double precision
);

create or replace function chat_hold(
  _owner text, _id text, _space text, _kind text, _model text, _reserved double precision, _keep_ms double precision,
  _owners text[], _messages double precision, _dollars double precision, _key text default null,
  _key_dollars double precision default null
)
returns text
language plpgsql
as $$
declare
  _refusal text;
begin
  if exists (select from chat_usage usage where usage.owner_id = _owner and usage.usage_id = _id) then
    return 'known';
  end if;
  if _owners is not null then
    _refusal := chat_over_budget(_owner, _id, _owners, _messages, _dollars, _key, _key_dollars);
    if _refusal is not null then return _refusal; end if;
  end if;
  insert into chat_usage (
    owner_id, usage_id, kind, session_id, model, input_tokens, output_tokens, charge, reported, space_id, reserved_until, key_id
  )
  values (
    _owner, _id, _kind, '', _model, 0, 0, _reserved, false, _space, now() + _keep_ms * interval '1 millisecond', _key
  )
  on conflict do nothing;
  return case when found then 'held' else 'known' end;
end
$$;

-- Starts a run for `_lease_ms`, and stores the question it answers before: both or neither. `_refusal` is that of
-- `chat_over_budget` (`_owners` null: not asked), or 'running' where `_most` are. No time for a run that is there already,
-- or whose session is not; an error for one that is there already, with a question. `_question` (null: none) has `id`, `content`, `preview`, `tsv`, `place` and `parent`.
create or replace function chat_start_run(
  _owner text, _run text, _kind text, _session text, _message text, _parent text, _model text, _plan jsonb,
  _request jsonb, _key text, _reserved double precision, _lease_ms double precision, _most integer, _owners text[],
  _messages double precision, _dollars double precision, _key_dollars double precision, _question json,
  _person text default null
)
returns table (
  refusal text, started_at timestamptz, pos integer, asked_at timestamptz, parent_id text, sibling_ids text[]
)
language plpgsql rows 1
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
  _refusal text;
  _started timestamptz;
  _asked record;
  _branch bigint;
  _pos integer;
  _asked_at timestamptz;
  _under text;
  _siblings text[];
begin
  if _owners is not null then
    _refusal := chat_over_budget(_owner, _run, _owners, _messages, _dollars, _key, _key_dollars);
  end if;
  -- Programs begin many at once, and must not take the person's place together.
  if _key is not null then
    perform pg_advisory_xact_lock(hashtextextended('chat_start_run ' || _owner, 0));
  end if;
  if _refusal is null and _most <= (
    select count(*) from chat_run run
    where run.owner_id = _owner and run.kind = _kind and run.status = 'running' and exists (
      select from chat_session session
      where session.owner_id = run.owner_id and session.session_id = run.session_id and session.deleted_at is null
    )
  ) and not exists (select from chat_run run where run.owner_id = _owner and run.run_id = _run) then
    _refusal := 'running';
  end if;
  if _refusal is not null then
    return query select _refusal, _started, _pos, _asked_at, _under, _siblings;
    return;
  end if;

  if _question is not null then
    select given.* into _asked
    from json_to_record(_question) as given (
      id text, content text, preview text, tsv tsvector, place text, parent text
    );
    select added.branch_id, added.pos, added.created_at, added.parent_id into _branch, _pos, _asked_at, _under
    from chat_append(
      _owner, _session, _asked.id, 'user', _asked.content, _asked.preview, _asked.tsv, null, _asked.place,
      _asked.parent, 'yes', null, 'session'
    ) added;
    select beside.sibling_ids into _siblings
    from chat_beside(_owner, _session, _branch, _pos) beside;
  end if;

  insert into chat_run (
    owner_id, run_id, kind, session_id, message_id, parent_id, model, plan, request, key_id, status, reserved, person_id,
    lease_until
  )
  select
    _owner, _run, _kind, _session, _message, _parent, _model, _plan, _request, _key, 'running', _reserved, _person,
    now() + _lease_ms * interval '1 millisecond'
  where exists (
    select from chat_session session
    where session.owner_id = _owner and session.session_id = _session and session.deleted_at is null
  )
  on conflict do nothing
  returning started_at into _started;
  if _question is not null and not found then
    raise exception 'run exists' using errcode = '23505', constraint = 'chat_run_message', detail = _run;
  end if;
  return query select _refusal, _started, _pos, _asked_at, _under, _siblings;
end
$$;

-- Records what a call cost and adds it to the totals of its session, which stay within what JavaScript counts. A repeated
-- id changes nothing, but a report replaces an estimate. True for a new id.
create or replace function chat_record_usage(
  _owner text, _id text, _kind text, _session text, _model text, _input bigint, _cached bigint, _output bigint,
  _cost double precision, _reported boolean, _key text, _charge double precision, _person text default null
)
returns boolean
language plpgsql
as $$
declare
  _known record;
  _is_new boolean;
begin
  insert into chat_usage (
    owner_id, usage_id, kind, session_id, model, input_tokens, cached_tokens, output_tokens, cost, reported, key_id,
    charge, person_id
  )
  values (_owner, _id, _kind, _session, _model, _input, _cached, _output, _cost, _reported, _key, _charge, _person)
  on conflict do nothing;
  _is_new := found;
  if not _is_new then
    -- A statement of its own, which sees what another process has recorded meanwhile.
    select usage.input_tokens, usage.output_tokens, usage.cost, usage.reported into _known
    from chat_usage usage
    where usage.owner_id = _owner and usage.usage_id = _id
    for update;
    if not found or _known.reported or not _reported then return false; end if;
    update chat_usage usage
    set input_tokens = _input, cached_tokens = _cached, output_tokens = _output, cost = _cost, charge = _charge,
      reported = true
    where usage.owner_id = _owner and usage.usage_id = _id;
    _input := _input - _known.input_tokens;
    _output := _output - _known.output_tokens;
    _cost := coalesce(_cost, 0) - coalesce(_known.cost, 0);
  end if;
  update chat_session session
  set
    input_tokens = least(session.input_tokens + _input, 9007199254740991),
    output_tokens = least(session.output_tokens + _output, 9007199254740991),
    cost = session.cost + coalesce(_cost, 0)
  where session.owner_id = _owner and session.session_id = _session;
  return _is_new;
end
$$;
