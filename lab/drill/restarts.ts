import { setTimeout as delay } from "node:timers/promises";
import { Random } from "@/lib/text/testing/random";
import type { Drill } from "./drill";
import { onDrillDatabase } from "./drill-database";
import { healthResult, timeUntilHealthy, whileWriting } from "./writing-clients";

const clients = 10;
const longestRequestMs = 10_000;
const healthyWithinMs = 2_000;
const longestPauseMs = 400;

export const restarts: Drill = {
  name: "restarts",
  promise:
    "After a crash of the database everything acknowledged is there and everything works at once.",
  unit: "restarts",
  fullCount: 200,
  run: ({ count, seed, signal, say }) =>
    onDrillDatabase(({ connections, restart }) =>
      whileWriting(connections, { clients, longestRequestMs }, async (slowdown) => {
        const random = new Random(seed);
        let longestMs = 0;
        let number = 0;
        while (number < count && !signal.aborted) {
          number++;
          await delay(random.next() * longestPauseMs);
          await restart();
          longestMs = Math.max(longestMs, await timeUntilHealthy(connections));
          if (number % 20 === 0) say(`${number} restarts.`);
        }
        const { broken, figures } = healthResult(longestMs, healthyWithinMs * slowdown.most);
        return { broken, figures: { restarts: number, ...figures } };
      }),
    ),
};
