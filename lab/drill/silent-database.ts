import { setTimeout as delay } from "node:timers/promises";
import { startTcpProxy, type TcpProxy } from "@/lib/postgres/testing/tcp-proxy";
import { Random } from "@/lib/text/testing/random";
import type { Drill } from "./drill";
import { onDrillDatabase } from "./drill-database";
import { healthResult, timeUntilHealthy, whileWriting } from "./writing-clients";

const clients = 10;
const longestRequestMs = 10_000;
const healthyWithinMs = 5_000;
const longSilenceMs = 12_000;
const longEvery = 10;
const shortSilenceMs = 3_000;
const longestPauseMs = 500;

export const silentDatabase: Drill = {
  name: "silent-database",
  promise:
    "A database that stops answering holds up no request, and all works again when it answers.",
  unit: "silences",
  fullCount: 40,
  run: async ({ count, seed, signal, say }) => {
    let proxy: TcpProxy | undefined;
    const through = async (url: string) => {
      proxy = await startTcpProxy(url);
      return proxy.url;
    };
    return onDrillDatabase(
      ({ connections }) =>
        whileWriting(connections, { clients, longestRequestMs }, async (slowdown) => {
          const random = new Random(seed);
          let longestMs = 0;
          for (let number = 1; number <= count; number++) {
            signal.throwIfAborted();
            await delay(random.next() * longestPauseMs);
            proxy?.silence();
            await delay(number % longEvery === 0 ? longSilenceMs : random.next() * shortSilenceMs);
            proxy?.speak();
            longestMs = Math.max(longestMs, await timeUntilHealthy(connections));
            if (number % 5 === 0) say(`${number} silences.`);
          }
          return healthResult(longestMs, healthyWithinMs * slowdown.most);
        }),
      { through },
    ).finally(() => proxy?.close());
  },
};
