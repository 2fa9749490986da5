import { randomInt } from "node:crypto";
import { Random } from "./random";

/** Random tests try as many times more: `GROVE_TEST_DEPTH=100`. */
export const depth = Number(process.env.GROVE_TEST_DEPTH ?? 1);

/**
 * Checks `count` random cases, times the depth, some at once. `GROVE_TEST_SEED` begins with the seed that a failure
 * names.
 */
export async function trySeeds(
  count: number,
  check: (random: Random, seed: number) => Promise<unknown>,
  { atOnce = 8 } = {},
): Promise<void> {
  const first = Number(process.env.GROVE_TEST_SEED ?? randomInt(2 ** 31));
  const failures: Error[] = [];
  let next = first;
  const work = async () => {
    while (next < first + count * depth && failures.length === 0) {
      const seed = next++;
      await check(new Random(seed), seed).catch((cause: unknown) => {
        failures.push(new Error(`GROVE_TEST_SEED=${seed}: ${String(cause)}`, { cause }));
      });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  const [failure] = failures;
  if (failure) throw failure;
}
