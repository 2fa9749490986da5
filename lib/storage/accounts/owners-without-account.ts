import type { Sql } from "grove-session/postgres";
import { identifier, ownedTables } from "@/lib/postgres/storage";

/** Owners of programs that use the library have other ids. */
const isOfAccount = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$";

export class OwnersWithoutAccount {
  #before: ReadonlySet<string> = new Set();

  /** An account that is being made has no rows for a moment. */
  async find(pool: Sql): Promise<string[]> {
    const found = new Set<string>();
    for (const table of ownedTables)
      for (const owner of await strangersIn(pool, table)) found.add(owner);
    const lasting = [...found].filter((owner) => this.#before.has(owner));
    this.#before = found;
    return lasting;
  }
}

async function strangersIn(pool: Sql, table: (typeof ownedTables)[number]): Promise<string[]> {
  const rows = await pool<{ owner: string }[]>`
    with recursive step (owner_id) as (
      (select owner_id from ${identifier(table)} order by owner_id limit 1)
      union all
      select (
        select next.owner_id from ${identifier(table)} next
        where next.owner_id > step.owner_id
        order by next.owner_id
        limit 1
      )
      from step
      where step.owner_id is not null
    ),
    root as (
      select distinct split_part(step.owner_id, chr(31), 1) as owner from step where step.owner_id is not null
    )
    select root.owner
    from root
    where root.owner ~ ${isOfAccount}
      and not exists (select from account_user person where person.owner_id = root.owner)
    order by root.owner
    limit 1000`;
  return rows.map(({ owner }) => owner);
}
