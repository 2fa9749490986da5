import { setTimeout as delay } from "node:timers/promises";
import { randomNumbers } from "@/lib/bench/seed";
import type { Drill } from "./drill";
import { onDrillDatabase } from "./drill-database";
import { timeUntilHealthy, WritingClients } from "./writing-clients";

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
    onDrillDatabase(async ({ connections, restart }) => {
      const random = randomNumbers(seed);
      const writing = await WritingClients.start(connections, clients);
      let longestUnhealthyMs = 0;
      try {
        for (let number = 1; number <= count; number++) {
          signal.throwIfAborted();
          await delay(random() * longestPauseMs);
          await restart();
          const ms = await timeUntilHealthy(connections);
          longestUnhealthyMs = Math.max(longestUnhealthyMs, ms);
          if (number % 20 === 0) say(`${number} restarts.`);
        }
      } finally {
        await writing.stop();
      }
      return {
        broken: [
          ...writing.problems({ longestRequestMs }),
          ...(longestUnhealthyMs > healthyWithinMs
            ? [
                `Grove was unhealthy ${Math.round(longestUnhealthyMs)} ms after the database was back.`,
              ]
            : []),
          ...(await writing.differences(connections.sql)),
        ],
        figures: { ...writing.figures, "longest time to health (ms)": longestUnhealthyMs },
      };
    }),
};
