import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Sql } from "grove-session/postgres";
import { importLines } from "@/lib/postgres/portable/import-lines";
import { PostgresSessionStore } from "@/lib/postgres/postgres-session-store";

const everyKind = fileURLToPath(
  new URL("../../../postgres/portable/testing/previous-version.jsonl", import.meta.url),
);

/** Characters with a meaning in COPY, JSON or Postgres. */
const awkwardTexts = [
  "a tab\tand a line\nand a return\rand \\N and \\. and \\\\",
  "\\.\n\\.",
  "\u0001\u001f\u007f\u0085\u2028\ufeff",
  "é e\u0301 👩‍👩‍👧‍👦 𝔘 اَلْعَرَبِيَّةُ",
  '{"a":"\\u0041"} "" \'\' $1 ?',
  "",
];

/** Rows of every kind an export knows, messages with awkward texts, a sealed key and a running answer. */
export async function fillDatabase(
  sql: Sql,
  { messages, owner = "local" }: { messages: number; owner?: string },
): Promise<void> {
  const lines = createInterface(createReadStream(everyKind));
  await importLines(sql, lines, { ownerId: owner });
  const store = new PostgresSessionStore(sql, owner);
  const { id } = await store.sessions.create("Awkward texts");
  await store.messages(id).appendMessages(
    Array.from({ length: messages }, (_, n) => ({
      id: crypto.randomUUID(),
      role: n % 2 === 0 ? ("user" as const) : ("assistant" as const),
      parts: [{ type: "text" as const, text: `${awkwardTexts[n % awkwardTexts.length]} ${n}` }],
    })),
  );
  await sql`
    insert into chat_secret (owner_id, name, description, sealed)
    values (${owner}, 'provider', '{"hint":"cret"}', 'v1.nonce.tag.sealed')`;
  await sql`
    insert into chat_run (owner_id, run_id, session_id, message_id, parent_id, model, status, lease_until)
    values (${owner}, 'run', ${id}, 'run', 'question', 'demo/demo', 'running', now())`;
  await sql`insert into chat_stream (owner_id, run_id, n, size, delta) values (${owner}, 'run', 1, 1, 'Half')`;
}

export interface DatabaseState {
  rows: Record<string, string>;
  sequences: Record<string, string>;
  definitions: Record<string, string>;
}

/** Rows about the installation, which no backup holds. */
const installation = ["bookkeeping.backup_attempt"];

/** Moments and UUIDs, which a migration makes at its own time. */
const madeAnew = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d:[\d.+:]+|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}`;

/** Equal for two databases with the same rows. `ignoresMadeAnew` compares two that were migrated at different times. */
export async function stateOf(
  sql: Sql,
  { ignoresMadeAnew = false }: { ignoresMadeAnew?: boolean } = {},
): Promise<DatabaseState> {
  const text = ignoresMadeAnew ? `regexp_replace(row::text, '${madeAnew}', '~', 'g')` : "row::text";
  const tables = await sql<{ name: string }[]>`
    select class.oid::regclass::text as name from pg_class class
    join pg_namespace namespace on namespace.oid = class.relnamespace
    where namespace.nspname in ('public', 'bookkeeping') and class.relkind in ('r', 'p')
      and not class.relispartition order by 1`;
  const rows: Record<string, string> = {};
  for (const { name } of tables.filter(({ name }) => !installation.includes(name))) {
    const [found] = await sql.unsafe<{ hash: string }[]>(`
      select count(*) || ' ' || md5(coalesce(string_agg(hash, '' order by hash), '')) as hash
      from (select md5(${text}) as hash from ${name} row) rows`);
    rows[name] = found?.hash ?? "";
  }
  return {
    rows,
    sequences: await facts(
      sql,
      `select schemaname || '.' || sequencename as name, last_value::text as fact from pg_sequences
       where schemaname = 'public'`,
    ),
    definitions: {
      ...(await facts(
        sql,
        `select 'index ' || indexname as name, indexdef as fact from pg_indexes
         where schemaname in ('public', 'bookkeeping')`,
      )),
      ...(await facts(
        sql,
        `select 'constraint ' || conrelid::regclass || ' ' || conname as name, pg_get_constraintdef(oid) as fact
         from pg_constraint where connamespace = 'public'::regnamespace`,
      )),
      ...(await facts(
        sql,
        `select 'function ' || oid::regprocedure as name, md5(pg_get_functiondef(oid)) as fact from pg_proc
         where pronamespace = 'public'::regnamespace and proname like 'chat\\_%'`,
      )),
      ...(await facts(
        sql,
        `select table_schema || '.' || table_name || '.' || column_name as name,
           concat_ws(' ', data_type, is_nullable, column_default, generation_expression, identity_generation) as fact
         from information_schema.columns where table_schema in ('public', 'bookkeeping')`,
      )),
    },
  };
}

async function facts(sql: Sql, query: string): Promise<Record<string, string>> {
  const rows = await sql.unsafe<{ name: string; fact: string }[]>(`${query} order by 1`);
  return Object.fromEntries(rows.map(({ name, fact }) => [name, fact]));
}

/** Inserting these first satisfies the foreign keys. */
const referenced = ["chat_session", "chat_branch", "chat_document"];

/** Copies all rows of the owner `local` to this many others. */
export async function multiplyOwners(sql: Sql, owners: number): Promise<void> {
  const tables = await sql<{ name: string; columns: string[] }[]>`
    select class.relname as name, array_agg(quote_ident(attname) order by attnum) as columns
    from pg_class class join pg_attribute on attrelid = class.oid
    where class.relnamespace = 'public'::regnamespace and class.relkind in ('r', 'p') and not class.relispartition
      and attnum > 0 and not attisdropped and attgenerated = ''
    group by 1 having 'owner_id' = any(array_agg(attname)) order by 1`;
  const rank = (name: string) =>
    (referenced.indexOf(name) + referenced.length + 1) % (referenced.length + 1);
  for (const { name, columns } of tables.toSorted(
    (one, other) => rank(one.name) - rank(other.name),
  )) {
    const values = columns.map((column) =>
      column === "owner_id" ? "'owner ' || copy_number" : column,
    );
    await sql.unsafe(`
      insert into ${name} (${columns.join(", ")})
      select ${values.join(", ")} from ${name}, generate_series(1, ${owners}) copy_number where owner_id = 'local'`);
  }
}

/** Names of what differs. */
export function differing(one: DatabaseState, other: DatabaseState): string[] {
  const [left, right] = [one, other].map(({ rows, sequences, definitions }) => {
    return new Map(Object.entries({ ...rows, ...sequences, ...definitions }));
  });
  const names = new Set([...(left?.keys() ?? []), ...(right?.keys() ?? [])]);
  return [...names].filter((name) => left?.get(name) !== right?.get(name));
}
