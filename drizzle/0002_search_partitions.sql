do $$
begin
  for part in 0..15 loop
    execute format(
      'create table chat_search_%s partition of chat_search for values with (modulus 16, remainder %s)', part, part
    );
  end loop;
end
$$;
