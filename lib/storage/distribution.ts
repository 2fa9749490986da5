import type { Sql } from "grove-session/postgres";
import { MigrationError } from "@/lib/postgres/start";

interface PlacedTable {
  readonly name: string;
  readonly has_owner: boolean;
  readonly needs: string[];
}

/** Tables that owners lead lie on the node of their owner, those of accounts on every node. */
function placeOf({ name, has_owner }: PlacedTable): "distributed" | "reference" {
  if (name.startsWith("account_")) return "reference";
  if (name.startsWith("chat_") && has_owner) return "distributed";
  throw new MigrationError(
    `The table ${name} has no place in a distributed database: it needs a column owner_id, or the name of a table of accounts.`,
  );
}

/**
 * The statements that distribute a database with Citus by owner. A table comes after those it refers to; one that is
 * distributed already is left out. @throws {MigrationError} for a table without a place.
 */
export async function distributionStatements(
  sql: Sql,
  done: ReadonlySet<string>,
): Promise<string[]> {
  const left = [
    ...(await sql<PlacedTable[]>`
    select
      its.relname as name,
      exists (select from pg_attribute where attrelid = its.oid and attname = 'owner_id' and attnotnull) as has_owner,
      array(
        select distinct other.relname::text from pg_constraint
        join pg_class other on other.oid = confrelid
        where conrelid = its.oid and contype = 'f' and confrelid <> its.oid
      ) as needs
    from pg_class its
    where its.relnamespace = 'public'::regnamespace and its.relkind in ('r', 'p') and not its.relispartition
    order by its.relname`),
  ];
  const statements: string[] = [];
  const placed = new Set<string>();
  while (left.length > 0) {
    const at = left.findIndex(({ needs }) => needs.every((name) => placed.has(name)));
    const [table] = left.splice(at, 1);
    if (at < 0 || !table) throw new MigrationError("Tables refer to each other in a circle.");
    placed.add(table.name);
    if (done.has(table.name)) continue;
    statements.push(
      placeOf(table) === "reference"
        ? `select create_reference_table('${table.name}')`
        : `select create_distributed_table('${table.name}', 'owner_id')`,
    );
  }
  return statements;
}

/** Also distributes what an upgrade has added. @throws {MigrationError} without Citus. */
export async function distribute(sql: Sql, say: (line: string) => void): Promise<void> {
  const [citus] = await sql`select from pg_extension where extname = 'citus'`;
  if (!citus) {
    throw new MigrationError(
      "This database has no Citus. Run `create extension citus` in it on each node and add the nodes with citus_add_node, then distribute it. `--dry-run` prints the statements on any Postgres.",
    );
  }
  const rows = await sql<
    { name: string }[]
  >`select logicalrelid::text as name from pg_dist_partition`;
  // Owners that are being cleared are refused by triggers, which look at the same node alone.
  await sql`set citus.enable_unsafe_triggers = on`;
  for (const statement of await distributionStatements(
    sql,
    new Set(rows.map(({ name }) => name)),
  )) {
    say(statement);
    await sql.unsafe(statement);
  }
}
