import { setTimeout as delay } from "node:timers/promises";
import { findPgBouncer, startPgBouncer } from "@/lib/postgres/testing/pgbouncer";
import { type AppServer, withSite } from "./app-servers";
import type { Drill, DrillOptions } from "./drill";
import { runKills } from "./kills";
import { whileMeasuring } from "./slowdown";

const killEveryMs = 10_000;

export const pooler: Drill = {
  name: "pooler",
  promise:
    "Behind a pooler of transactions, too, a message that shows as sent is never lost and never doubled.",
  unit: "kills",
  fullCount: 60,
  run: (options) =>
    withSite(options, async (site) => {
      const program = findPgBouncer();
      if (program === null) throw new Error("PgBouncer is not installed.");
      const { url } = site.database();
      const bouncer = await startPgBouncer(program, url);
      const environment = { DATABASE_URL: bouncer.url, DATABASE_DIRECT_URL: url };
      try {
        return await whileMeasuring((slowdown) =>
          runKills(options, { site, slowdown, environment, kill: killInTurn }),
        );
      } finally {
        await bouncer.stop();
      }
    }),
};

async function killInTurn(
  { count, signal, say }: DrillOptions,
  { servers }: { servers: readonly AppServer[] },
): Promise<number> {
  let killed = 0;
  while (killed < count && !signal.aborted) {
    await delay(killEveryMs);
    const server = servers[killed % servers.length];
    killed++;
    await server?.kill();
    await server?.start();
    if (killed % 10 === 0) say(`${killed} kills`);
  }
  return killed;
}
