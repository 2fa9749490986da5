import type { Sql } from "postgres";

interface SessionKey {
  owner: string;
  session: string;
}

/** Locks the import of a session for a connection, which also a process that dies ends. @returns whether it was free. */
export async function lockImport(sql: Sql, key: SessionKey): Promise<boolean> {
  const [row] = await sql<[{ held: boolean }]>`
    select pg_try_advisory_lock(hashtextextended(${importLockName(key)}, 0)) as held`;
  return row.held;
}

export async function unlockImport(sql: Sql, key: SessionKey): Promise<void> {
  await sql`select pg_advisory_unlock(hashtextextended(${importLockName(key)}, 0))`;
}

/** Until the transaction ends. @returns whether it was free. */
export async function lockImportInTransaction(sql: Sql, key: SessionKey): Promise<boolean> {
  const [row] = await sql<[{ held: boolean }]>`
    select pg_try_advisory_xact_lock(hashtextextended(${importLockName(key)}, 0)) as held`;
  return row.held;
}

/** Of its advisory lock. */
export function importLockName({ owner, session }: SessionKey): string {
  return JSON.stringify(["import", owner, session]);
}
