import { expect, it } from "vitest";
import { orphans } from "./orphans";

it("ends runs whose process is gone, once, and leaves the others", async () => {
  const { signal } = new AbortController();
  const result = await orphans.run({ count: 12, seed: 1, signal, say: () => undefined });
  expect(result.broken).toEqual([]);
});
