-- An index of a partitioned table cannot be altered as a whole.
DO $$
DECLARE
	_index regclass;
BEGIN
	FOR _index IN SELECT inhrelid::regclass FROM pg_inherits WHERE inhparent = 'chat_search_words'::regclass LOOP
		EXECUTE format('ALTER INDEX %s RESET (gin_pending_list_limit)', _index);
	END LOOP;
END
$$;
