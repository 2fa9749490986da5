import { setTimeout as delay } from "node:timers/promises";
import type { Sql } from "grove-session/postgres";
import { EmbeddedPostgresError } from "./embedded-postgres-error";
import { connectOnce } from "./probe";
import { pidIn } from "./process-name";

export interface Hold {
  release(): Promise<void>;
}

const key = "7454127524";
/** The server may notice a killed owner late. */
const patienceMs = 2_000;

/**
 * An advisory lock of an open connection ends with the process: no stale file, no reused process id.
 *
 * @throws {EmbeddedPostgresError} `in-use` when another process has it.
 */
export async function takeHold(address: string, folder: string): Promise<Hold> {
  const keeper = { released: false, retaking: false };
  const sql = connectOnce(address, () => {
    if (!keeper.released && !keeper.retaking) void retake(sql, keeper);
  });
  const release = async () => {
    keeper.released = true;
    await sql.end({ timeout: 1 });
  };
  try {
    await lockPatiently(sql, folder);
  } catch (error) {
    await release();
    throw error;
  }
  return { release };
}

async function lockPatiently(sql: Sql, folder: string): Promise<void> {
  const giveUpAt = Date.now() + patienceMs;
  while (!(await tryLock(sql))) {
    if (Date.now() > giveUpAt) {
      throw new EmbeddedPostgresError(
        `Grove is already running on ${folder}${await describeOwner(sql)}. Stop it first, or set GROVE_DATA_DIR to another folder for a second Grove.`,
        { code: "in-use" },
      );
    }
    await delay(50);
  }
}

async function tryLock(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ held: boolean }[]>`select pg_try_advisory_lock(${key}::bigint) as held`;
  return row?.held === true;
}

/** A crash of one backend drops every connection, and the lock. */
async function retake(sql: Sql, keeper: { released: boolean; retaking: boolean }): Promise<void> {
  keeper.retaking = true;
  while (!keeper.released) {
    await delay(200);
    // Locking fails during recovery; a restart releases this hold.
    if (!keeper.released && (await tryLock(sql).catch(() => false))) break;
  }
  keeper.retaking = false;
}

async function describeOwner(sql: Sql): Promise<string> {
  const pid = pidIn((await ownerIn(sql)) ?? "");
  return pid === null ? "" : ` (process ${pid})`;
}

export async function isHeld(sql: Sql): Promise<boolean> {
  return (await ownerIn(sql)) !== null;
}

async function ownerIn(sql: Sql): Promise<string | null> {
  const [row] = await sql<{ name: string }[]>`
    select activity.application_name as name
    from pg_locks as lock
    join pg_stat_activity as activity on activity.pid = lock.pid
    where lock.locktype = 'advisory'
      and lock.granted
      and (lock.classid::bigint << 32 | lock.objid::bigint) = ${key}::bigint
    limit 1`;
  return row?.name ?? null;
}
