import { expect, it } from "vitest";
import { frozen } from "./frozen";

it("ends answers once whose process stands still for longer than its lease", async () => {
  const { signal } = new AbortController();
  const { broken } = await frozen.run({ count: 6, seed: 1, signal, say: () => undefined });
  expect(broken).toEqual([]);
});
