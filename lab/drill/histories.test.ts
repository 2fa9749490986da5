import { expect, it } from "vitest";
import { histories } from "./histories";

it("Random histories make requests that every provider accepts", async () => {
  const { signal } = new AbortController();
  const options = { count: 1_000, seed: 1, signal, say: () => undefined };
  expect((await histories.run(options)).broken).toEqual([]);
});
