import { expect, it } from "vitest";
import { backups } from "./backups";

// The drill promises no time.
const longestMs = 300_000;

it(
  "restores what was backed up under writes, and refuses what is damaged",
  async () => {
    const { signal } = new AbortController();
    const result = await backups.run({ count: 1, seed: 1, signal, say: () => undefined });
    expect(result.broken).toEqual([]);
  },
  longestMs,
);
