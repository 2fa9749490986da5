import { setTimeout as delay } from "node:timers/promises";
import { randomNumbers } from "@/lib/bench/seed";
import { startTcpProxy } from "@/lib/postgres/testing/tcp-proxy";
import type { Drill, DrillOptions } from "./drill";
import { onDrillDatabase } from "./drill-database";
import { timeUntilHealthy, WritingClients } from "./writing-clients";

const clients = 10;
const longestRequestMs = 10_000;
const healthyWithinMs = 5_000;
/** Longer than any deadline. */
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
  run: async (options) => {
    let proxy: Awaited<ReturnType<typeof startTcpProxy>> | undefined;
    const through = async (url: string) => {
      proxy = await startTcpProxy(url);
      return proxy.url;
    };
    return onDrillDatabase(
      async ({ connections }) => {
        const writing = await WritingClients.start(connections, clients);
        let longestUnhealthyMs = 0;
        try {
          for await (const silenceMs of silences(options)) {
            proxy?.silence();
            await delay(silenceMs);
            proxy?.speak();
            longestUnhealthyMs = Math.max(longestUnhealthyMs, await timeUntilHealthy(connections));
          }
        } finally {
          await writing.stop();
        }
        return {
          broken: [
            ...writing.problems({ longestRequestMs }),
            ...(longestUnhealthyMs > healthyWithinMs
              ? [`Grove was unhealthy ${Math.round(longestUnhealthyMs)} ms after it answered.`]
              : []),
            ...(await writing.differences(connections.sql)),
          ],
          figures: { ...writing.figures, "longest time to health (ms)": longestUnhealthyMs },
        };
      },
      { through },
    ).finally(() => proxy?.close());
  },
};

/** The length of each. */
async function* silences({ count, seed, signal, say }: DrillOptions): AsyncGenerator<number> {
  const random = randomNumbers(seed);
  for (let number = 1; number <= count; number++) {
    signal.throwIfAborted();
    await delay(random() * longestPauseMs);
    yield number % longEvery === 0 ? longSilenceMs : random() * shortSilenceMs;
    if (number % 5 === 0) say(`${number} silences.`);
  }
}
