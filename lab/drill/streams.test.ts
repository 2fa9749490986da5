import { expect, it } from "vitest";
import { runStreams } from "./streams";

it("Every word of a mutated stream is kept, and every answer ends in plain words", async () => {
  const { signal } = new AbortController();
  const { broken } = await runStreams({ count: 200, seed: 1, signal, say: () => undefined });
  expect(broken).toEqual([]);
}, 60_000);
