-- Learns the next `_most` vectors and answers whether the vocabulary is up to date. Takes no lock where nothing is new.
create or replace function chat_learn_words(_owner text, _most integer)
returns boolean
language plpgsql
as $$
declare
  _seen bigint;
  _newest bigint;
  _count integer;
begin
  select words_seq into _seen from chat_owner where owner_id = _owner;
  if not exists (select from chat_search where owner_id = _owner and seq > coalesce(_seen, 0)) then
    return true;
  end if;
  -- What is lost with the server is learned again.
  perform set_config('synchronous_commit', 'off', true);
  insert into chat_owner (owner_id) values (_owner) on conflict do nothing;
  select words_seq into _seen from chat_owner where owner_id = _owner for update;
  select max(next.seq), count(*) into _newest, _count
  from (
    select seq from chat_search where owner_id = _owner and seq > _seen order by seq limit _most
  ) next;
  if _newest is null then return true; end if;
  insert into chat_word (owner_id, word)
  select _owner, stat.word
  from ts_stat(format(
    'select tsv from chat_search where owner_id = %L and seq > %s and seq <= %s', _owner, _seen, _newest
  )) stat
  -- A colon marks a stem, which nobody writes.
  where length(stat.word) between 3 and 40 and strpos(stat.word, ':') = 0
  on conflict do nothing;
  update chat_owner set words_seq = _newest where owner_id = _owner;
  return _count < _most;
end
$$;
