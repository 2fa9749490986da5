-- The vocabulary of an owner, learned when a search finds nothing and brought up to date from the vectors written since.
create or replace function chat_learn_words(_owner text)
returns void
language plpgsql
as $$
declare
  _seen bigint;
  _newest bigint;
begin
  insert into chat_owner (owner_id) values (_owner) on conflict do nothing;
  select words_seq into _seen from chat_owner where owner_id = _owner for update;
  select max(seq) into _newest from chat_search where owner_id = _owner and seq > _seen;
  if _newest is null then return; end if;
  insert into chat_word (owner_id, word)
  select _owner, stat.word
  from ts_stat(format(
    'select tsv from chat_search where owner_id = %L and seq > %s and seq <= %s', _owner, _seen, _newest
  )) stat
  -- A colon marks the stem of a language, which nobody writes.
  where length(stat.word) between 3 and 40 and strpos(stat.word, ':') = 0
  on conflict do nothing;
  update chat_owner set words_seq = _newest where owner_id = _owner;
end
$$;
