import { expect, it } from "vitest";
import { restarts } from "./restarts";

it("loses nothing and works at once after crashes of the database", async () => {
  const { signal } = new AbortController();
  const result = await restarts.run({ count: 2, seed: 1, signal, say: () => undefined });
  expect(result.broken).toEqual([]);
});
