import { expect, it } from "vitest";
import { backups } from "./backups";

it("restores what was backed up under writes, and refuses what is damaged", async () => {
  const { signal } = new AbortController();
  const result = await backups.run({ count: 2, seed: 1, signal, say: () => undefined });
  expect(result.broken).toEqual([]);
});
