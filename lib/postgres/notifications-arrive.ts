import { setTimeout as delay } from "node:timers/promises";
import type { Sql } from "postgres";
import { ownConnection } from "./connections/own-connection";

const attempts = 5;
const pauseMs = 400;

/** Tells if a connection beside `pool` receives what the pool sends: not behind a pooler, nor on another database. */
export async function notificationsArrive(pool: Sql): Promise<boolean> {
  const channel = `grove_probe_${crypto.randomUUID().replaceAll("-", "")}`;
  const arrived = new AbortController();
  const listening = ownConnection(pool, { onNotification: () => arrived.abort() });
  try {
    await listening`listen ${listening(channel)}`;
    for (let attempt = 0; attempt < attempts && !arrived.signal.aborted; attempt++) {
      await pool`select pg_notify(${channel}, '')`;
      await delay(pauseMs, undefined, { signal: arrived.signal }).catch(() => undefined);
    }
    return arrived.signal.aborted;
  } finally {
    await listening.end({ timeout: 0 });
  }
}
