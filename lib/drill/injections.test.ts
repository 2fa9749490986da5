import { expect, it } from "vitest";
import { injections } from "./injections";

it("A document with instructions writes nothing into memory that its answer does not name", async () => {
  const { signal } = new AbortController();
  const { broken, figures } = await injections.run({
    count: 12,
    seed: 3,
    signal,
    say: () => undefined,
  });
  expect(broken).toEqual([]);
  expect(figures.writes).toBeGreaterThan(0);
  expect(figures.proposals).toBeGreaterThan(0);
});
