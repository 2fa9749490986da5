import type { Sql } from "postgres";
import { addressOf, adminAddress, type Listen } from "./listen";
import { connectOnce } from "./probe";

const name = "grove";

/**
 * Makes sure that the application's role and database exist, and returns their address.
 *
 * The role owns its database and nothing else: a mistake in a statement of ours cannot reach files or programs.
 */
export async function ensureApplicationDatabase(listen: Listen): Promise<string> {
  const sql = connectOnce(adminAddress(listen));
  try {
    await ensureRole(sql, listen);
    const [found] = await sql`select 1 from pg_database where datname = ${name}`;
    if (!found) await sql`create database ${sql(name)} owner ${sql(name)}`;
  } finally {
    await sql.end({ timeout: 5 });
  }
  return addressOf(listen, { user: name, database: name });
}

async function ensureRole(sql: Sql, listen: Listen): Promise<void> {
  const [found] = await sql`select 1 from pg_roles where rolname = ${name}`;
  if (!found) await sql`create role ${sql(name)} login`;
  if (listen.kind === "tcp") {
    // A password cannot be a parameter of this statement; it is our own hexadecimal.
    await sql.unsafe(`alter role ${name} password '${listen.password}'`);
  }
}
