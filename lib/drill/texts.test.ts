import { expect, it } from "vitest";
import { texts } from "./texts";

it("Strings of all of Unicode come back exactly from storage, search and an import", async () => {
  const { signal } = new AbortController();
  const { broken, figures } = await texts.run({
    count: 1_000,
    seed: 5,
    signal,
    say: () => undefined,
  });
  expect(broken).toEqual([]);
  expect(figures.found).toBe(10);
  expect(figures.replaced).toBeGreaterThan(100);
});
