import { setTimeout as delay } from "node:timers/promises";
import type { Sql } from "grove-session/postgres";
import { identifier, ownConnection } from "@/lib/postgres/start";

const attempts = 5;
const pauseMs = 400;

/** False behind a pooler, or on another database. */
export async function notificationsArrive(pool: Sql): Promise<boolean> {
  const channel = `grove_probe_${crypto.randomUUID().replaceAll("-", "")}`;
  const arrived = new AbortController();
  const listening = ownConnection(pool, { onNotification: () => arrived.abort() });
  try {
    await listening`listen ${identifier(channel)}`;
    for (let attempt = 0; attempt < attempts && !arrived.signal.aborted; attempt++) {
      await pool`select pg_notify(${channel}, '')`;
      await delay(pauseMs, undefined, { signal: arrived.signal }).catch(() => undefined);
    }
    return arrived.signal.aborted;
  } finally {
    await listening.end({ timeout: 0 });
  }
}
