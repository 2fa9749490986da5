import fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import { FairTurns } from "./fair-turns";

let clock = 0;
let order: string[];

beforeEach(() => {
  clock = 0;
  order = [];
});

const turnsOf = (atOnce = 2, mostOfOne = 1) =>
  new FairTurns({ atOnce, mostOfOne, halfLifeMs: 300_000, now: () => clock });

const started = () => new Promise<void>((done) => setImmediate(done));

/** A task that takes as long as `end` says. */
function task(turns: FairTurns, person: string, name = person) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const done = turns.run(person, async () => {
    order.push(name);
    await promise;
  });
  return {
    end: async (ms: number) => {
      await started();
      clock += ms;
      resolve();
      await done;
    },
  };
}

test("a person with six slow tasks never keeps another one waiting", async () => {
  const turns = turnsOf();
  const hostile = Array.from({ length: 6 }, (_, n) => task(turns, "mallory", `slow ${n}`));
  const other = task(turns, "alice");
  await started();
  expect(order).toEqual(["slow 0", "alice"]);
  await other.end(10);
  for (const each of hostile) await each.end(60_000);
  expect(order.slice(2)).toEqual(["slow 1", "slow 2", "slow 3", "slow 4", "slow 5"]);
});

test("the person who used the least time lately comes first, and failures count as time", async () => {
  const turns = turnsOf(1);
  await task(turns, "much").end(5_000);
  await task(turns, "failing").end(100);
  turns.charge("failing", 60_000);
  const running = task(turns, "another");
  const waiting = [task(turns, "failing"), task(turns, "much"), task(turns, "new")];
  await running.end(1);
  await waiting[2]?.end(1);
  await waiting[1]?.end(1);
  await waiting[0]?.end(1);
  expect(order).toEqual(["much", "failing", "another", "new", "much", "failing"]);
});

test("what was used long ago is forgotten", async () => {
  const turns = turnsOf(1);
  await task(turns, "long ago").end(60_000);
  clock += 12 * 300_000;
  await task(turns, "just now").end(1_000);
  const running = task(turns, "another");
  const waiting = [task(turns, "just now"), task(turns, "long ago")];
  await running.end(1);
  await waiting[1]?.end(1);
  await waiting[0]?.end(1);
  expect(order.slice(3)).toEqual(["long ago", "just now"]);
});

test("a task that fails gives its turn back", async () => {
  const turns = turnsOf(1);
  const failing = turns.run("one", () => Promise.reject(new Error("failed")));
  await expect(failing).rejects.toThrow("failed");
  expect(await turns.run("other", async () => "done")).toBe("done");
});

test("any tasks of any people all run, at most two at once", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constantFrom("a", "b", "c"), fc.nat(50)), { maxLength: 40 }),
      async (tasks) => {
        const turns = turnsOf(2);
        const running = new Map<string, number>();
        let most = 0;
        let done = 0;
        await Promise.all(
          tasks.map(([person, ms]) =>
            turns.run(person, async () => {
              running.set(person, (running.get(person) ?? 0) + 1);
              const all = [...running.values()];
              most = Math.max(
                most,
                ...all.map((count) => count * 10),
                all.reduce((sum, n) => sum + n, 0),
              );
              clock += ms;
              await Promise.resolve();
              running.set(person, (running.get(person) ?? 1) - 1);
              done++;
            }),
          ),
        );
        expect(done).toBe(tasks.length);
        // One of a person, two of all.
        expect(most).toBeLessThanOrEqual(10);
      },
    ),
  );
});
