import { expect, it } from "vitest";
import { operations } from "./operations";

it("deletes and restores as it acknowledged, whatever is repeated or concurrent", async () => {
  const { signal } = new AbortController();
  const result = await operations.run({ count: 300, seed: 1, signal, say: () => undefined });
  expect(result.broken).toEqual([]);
});
