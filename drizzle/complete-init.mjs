// Adds to the first migration what drizzle-kit cannot express: extensions, and the partitions of the search table.
import { readFile, writeFile } from "node:fs/promises";

const partitions = 16;
const breakpoint = "--> statement-breakpoint\n";
const file = new URL("0000_init.sql", import.meta.url);

const extensions = `-- btree_gin lets one index hold the owner beside the words; pg_trgm finds words that were meant.
create extension if not exists btree_gin;
${breakpoint}create extension if not exists pg_trgm;
${breakpoint}`;

const partition = (n) =>
  `CREATE TABLE "chat_search_${n}" PARTITION OF "chat_search" FOR VALUES WITH (MODULUS ${partitions}, REMAINDER ${n});\n`;

const generated = await readFile(file, "utf8");
const [whole, columns] = generated.match(/CREATE TABLE "chat_search" \(([^;]*)\n\);\n/) ?? [];
if (!whole) throw new Error("The first migration has no table chat_search to partition.");
const partitioned = `CREATE TABLE "chat_search" (${columns}\n) PARTITION BY HASH ("owner_id");\n${breakpoint}${Array.from({ length: partitions }, (_, n) => partition(n)).join(breakpoint)}`;
await writeFile(file, extensions + generated.replace(whole, () => partitioned));
