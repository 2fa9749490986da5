-- A chat is moved to another space within one transaction: `begin_move`, copies of its rows, `end_move`. Each function
-- reaches rows of one owner.

-- Locks a session until the transaction ends, also for what hangs on it by a foreign key, and gives it copies of all that
-- it borrows. GR003: there is no such session.
create or replace function chat_begin_move(_owner text, _session text)
returns void
language plpgsql
set enable_seqscan = off
as $$
declare
  _lender bigint;
begin
  perform chat_lock(_owner, _session);
  perform from chat_session where owner_id = _owner and parent_session_id = _session order by session_id for update;
  perform chat_lock_loans(_owner, _session);
  loop
    -- In the order of `chat_separate`: of the branches it borrows through, the one farthest from the root.
    select branch.parent_branch into _lender
    from chat_branch branch
    cross join lateral (
      select count(*) as depth from chat_segments(_owner, branch.branch_id, branch.head)
    ) path
    where branch.owner_id = _owner and branch.session_id = _session and branch.seen_as_of is not null
    order by path.depth desc, branch.branch_id
    limit 1;
    exit when not found;
    perform chat_detach(_owner, _session, _lender);
  end loop;
end
$$;

-- Removes what was copied. Forks get copies first. The row stays, to say where the session is now, and keeps its place
-- among the forks; so do its suggestions for blocks of all sessions, which are not in `_proposals`.
create or replace function chat_end_move(_owner text, _session text, _to text, _proposals text[])
returns void
language plpgsql
as $$
begin
  perform chat_call_in_loans(_owner, _session);
  delete from chat_stream chunk
  using chat_run run
  where run.owner_id = _owner and run.session_id = _session and chunk.owner_id = _owner and chunk.run_id = run.run_id;
  delete from chat_run where owner_id = _owner and session_id = _session;
  delete from chat_consent where owner_id = _owner and session_id = _session;
  delete from chat_proposal where owner_id = _owner and session_id = _session and proposal_id = any (_proposals);
  perform chat_empty(_owner, _session);
  delete from chat_deletion where owner_id = _owner and session_id = _session;
  delete from chat_document where owner_id = _owner and session_id = _session;
  delete from chat_block where owner_id = _owner and session_id = _session;
  update chat_session
  set title = '', active_branch = null, active_pos = null, message_count = 0, skills_before = '[]', model = null,
    source = 'moved', tags = '{}', metadata = jsonb_build_object('movedTo', _to), input_tokens = 0, output_tokens = 0,
    cost = 0, frozen_prompt = null, frozen_versions = null, pinned_at = null, archived_at = null, deleted_at = now()
  where owner_id = _owner and session_id = _session;
end
$$;
