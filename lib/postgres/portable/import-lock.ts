import type { SessionKey } from "@/lib/postgres/tree/compactions";
import type { Sql } from "../connections/sql";

/** Ends with the connection, as when its process dies. @returns whether it was free. */
export async function lockImport(sql: Sql, key: SessionKey): Promise<boolean> {
  const [row] = await sql<[{ held: boolean }]>`
    select pg_try_advisory_lock(hashtextextended(${importLockName(key)}, 0)) as held`;
  return row.held;
}

export async function unlockImport(sql: Sql, key: SessionKey): Promise<void> {
  await sql`select pg_advisory_unlock(hashtextextended(${importLockName(key)}, 0))`;
}

/** Lasts until the transaction ends. @returns whether it was free. */
export async function lockImportInTransaction(sql: Sql, key: SessionKey): Promise<boolean> {
  const [row] = await sql<[{ held: boolean }]>`
    select pg_try_advisory_xact_lock(hashtextextended(${importLockName(key)}, 0)) as held`;
  return row.held;
}

export function importLockName({ owner, session }: SessionKey): string {
  return JSON.stringify(["import", owner, session]);
}
