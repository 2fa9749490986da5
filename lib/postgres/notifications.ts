import type { Sql } from "postgres";

const channel = "grove";

/** Tells every process that something happened; `text` is at most 7,900 bytes. */
export async function notify(sql: Sql, text: string): Promise<void> {
  await sql`select pg_notify(${channel}, ${text})`;
}

/**
 * Hears what any process tells, on one connection that is opened again when it breaks. `onGap` is called after every
 * connection but the first, since what was told in between is lost.
 *
 * @returns a function that ends it.
 */
export async function listen(
  sql: Sql,
  { onText, onGap }: { onText: (text: string) => void; onGap: () => void },
): Promise<() => Promise<void>> {
  let connected = false;
  const { unlisten } = await sql.listen(channel, onText, () => {
    if (connected) onGap();
    connected = true;
  });
  return unlisten;
}
