import { expect, it } from "vitest";
import { accountExports } from "./exports";

it("Random accounts come back from their exports, and export the same", async () => {
  const { signal } = new AbortController();
  const options = { count: 10, seed: 1, signal, say: () => undefined };
  expect((await accountExports.run(options)).broken).toEqual([]);
});
