-- btree_gin lets one index hold the owner beside the words; pg_trgm finds words that were meant.
create extension if not exists btree_gin;
--> statement-breakpoint
create extension if not exists pg_trgm;
