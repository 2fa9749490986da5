import { expect, it } from "vitest";
import { silentDatabase } from "./silent-database";

it("holds up no request while the database is silent", async () => {
  const { signal } = new AbortController();
  const result = await silentDatabase.run({ count: 2, seed: 1, signal, say: () => undefined });
  expect(result.broken).toEqual([]);
});
