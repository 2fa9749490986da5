import { setTimeout as delay } from "node:timers/promises";
import type { Sql } from "grove-session/postgres";
import { connectOnce } from "@/lib/storage/embedded/probe";
import { Random } from "@/lib/text/testing/random";
import type { Drill } from "./drill";
import { onDrillDatabase } from "./drill-database";
import { whileWriting } from "./writing-clients";

const clients = 20;
const longestRequestMs = 3_000;
const longestPauseMs = 100;

export const backendKills: Drill = {
  name: "backend-kills",
  promise:
    "A connection that dies loses nothing, doubles nothing and holds up no request for long.",
  unit: "kills",
  fullCount: 2_000,
  run: ({ count, seed, signal, say }) =>
    onDrillDatabase(({ adminUrl, connections }) =>
      whileWriting(connections, { clients, longestRequestMs }, async () => {
        const random = new Random(seed);
        const admin = connectOnce(adminUrl);
        let kills = 0;
        try {
          while (kills < count && !signal.aborted) {
            await delay(random.next() * longestPauseMs);
            kills += await killOne(admin, random.next());
            if (kills % 200 === 0) say(`${kills} kills.`);
          }
        } finally {
          await admin.end({ timeout: 1 });
        }
        return { broken: [], figures: { kills } };
      }),
    ),
};

/** @returns how many of Grove's connections were killed, which is 0 when it ended before. */
async function killOne(admin: Sql, chance: number): Promise<number> {
  const backends = await admin<{ pid: number }[]>`
    select pid from pg_stat_activity
    where datname = 'grove' and application_name in ('grove', 'grove-chunks') order by pid`;
  const chosen = backends[Math.floor(chance * backends.length)];
  if (!chosen) return 0;
  const [row] = await admin<
    [{ killed: boolean }]
  >`select pg_terminate_backend(${chosen.pid}) as killed`;
  return row.killed ? 1 : 0;
}
