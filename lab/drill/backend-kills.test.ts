import { expect, it } from "vitest";
import { backendKills } from "./backend-kills";

it("loses nothing and holds up no request when connections are killed", async () => {
  const { signal } = new AbortController();
  const result = await backendKills.run({ count: 40, seed: 1, signal, say: () => undefined });
  expect(result.broken).toEqual([]);
});
