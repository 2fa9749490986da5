import { getTableColumns, getTableName } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { PersonId, SpaceId } from "@/lib/chat/core/person-in-space";
import { Fragment, identifier, type Sql } from "@/lib/postgres/storage";

export interface ChatMove {
  readonly personId: PersonId;
  readonly from: SpaceId;
  readonly to: SpaceId;
  readonly sessionId: string;
}

export interface RowsToCopy {
  readonly table: PgTable;
  readonly to: string;
  readonly rows: Fragment;
  readonly join?: Fragment;
  /** `null` leaves a column to its default. */
  readonly columns?: Readonly<Record<string, Fragment | null>>;
  readonly change?: (json: string) => string;
  readonly onConflict?: Fragment;
  readonly atOnce?: number;
}

/** Rows pass through this process, so that no statement reaches rows of two owners. @returns how many. */
export async function copyRows(sql: Sql, copy: RowsToCopy): Promise<number> {
  const { rows, atOnce = 100 } = copy;
  await sql`declare moved_rows no scroll cursor for select to_json(its)::text as json ${rows}`;
  const next = new Fragment([String(atOnce)]);
  let copied = 0;
  for (let isMore = true; isMore; ) {
    const found = await sql<{ json: string }[]>`fetch ${next} from moved_rows`;
    if (found.length > 0) copied += await insert(sql, copy, found);
    isMore = found.length === atOnce;
  }
  await sql`close moved_rows`;
  return copied;
}

async function insert(
  sql: Sql,
  { table, to, columns = {}, change, join = sql``, onConflict = sql`` }: RowsToCopy,
  found: readonly { readonly json: string }[],
): Promise<number> {
  const names = Object.values(getTableColumns(table))
    .filter(({ name, generated }) => name !== "owner_id" && !generated && columns[name] !== null)
    .map(({ name }) => name);
  const rows = found.map(({ json }) => (change ? change(json) : json));
  const name = identifier(getTableName(table));
  const { count } = await sql`
    insert into ${name} (owner_id${names.map((each) => sql`, ${identifier(each)}`)})
    select ${to}${names.map((each) => sql`, ${columns[each] ?? sql`its.${identifier(each)}`}`)}
    from json_populate_recordset(null::${name}, ${`[${rows.join(",")}]`}::text::json) its ${join}
    ${onConflict}`;
  return count;
}
