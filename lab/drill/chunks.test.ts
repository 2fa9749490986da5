import { expect, test } from "vitest";
import { assembleChunks } from "./chunks";

test("1,000 random and mutated sequences of chunks become answers with all their words", async () => {
  const { signal } = new AbortController();
  const { broken, figures } = await assembleChunks({
    ...{ count: 1_000, seed: 1, signal },
    say: () => undefined,
  });
  expect(broken).toEqual([]);
  expect(figures).toMatchObject({ "well formed": 500, mutated: 500 });
});
