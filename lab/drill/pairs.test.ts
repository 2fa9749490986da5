import { afterAll, beforeAll, expect, test } from "vitest";
import { type AccountsWorld, accountsWorld, origin } from "@/app/api/testing/accounts-world";
import { unplacedRoutes } from "./pair-writes";
import { requestOf, runPairs, type SendPaired } from "./pairs";

let world: AccountsWorld;
beforeAll(async () => {
  world = await accountsWorld();
});
afterAll(() => world.end());

test("Every route that writes is in the pairs, or writes nothing of a chat", () => {
  expect(unplacedRoutes(world.found)).toEqual([]);
});

test("Two requests at once, about a chat or its forks, both do what they acknowledge", async () => {
  const send: SendPaired = async (write) => {
    const init = requestOf(write, { authorization: `Bearer ${world.keys.member}` });
    const headers = new Headers(init.headers);
    for (const [name, value] of [
      ["host", "grove.test"],
      ["origin", origin],
      ["cookie", world.cookies.member ?? ""],
    ] as const)
      headers.set(name, value);
    const request = new Request(`${origin}${write.path}`, { ...init, headers });
    const handler = world.handlers.get(write.route);
    if (!handler) throw new Error(`${write.route} has no handler.`);
    const response = await handler(request, { params: Promise.resolve(write.params) });
    return { status: response.status, body: await response.json().catch(() => null) };
  };
  const { broken, figures } = await runPairs(
    {
      count: Number(process.env.GROVE_TEST_DEPTH ?? 1) * 15,
      seed: 1,
      signal: new AbortController().signal,
      say: () => undefined,
    },
    {
      sql: world.database.sql,
      ownerId: await world.ownerIdOf("member"),
      model: "demo/grove-demo",
      send,
    },
  );
  expect(broken).toEqual([]);
  expect(figures.acknowledged).toBeGreaterThan((figures.pairs ?? 0) / 2);
});
