import { expect, it } from "vitest";
import { upgrades } from "./upgrades";

it("loses nothing when upgrades are killed", async () => {
  const { signal } = new AbortController();
  const result = await upgrades.run({ count: 2, seed: 1, signal, say: () => undefined });
  expect(result.broken).toEqual([]);
});
