import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { accessOf, ofOneself } from "@/app/api/testing/route-matrix";
import { ownerRows } from "@/lib/postgres/testing/owner-rows";
import { type AccountsWorld, accountsWorld, canary } from "./testing/accounts-world";

const fence = vi.hoisted(() => ({ isAlone: false }));

// Once it is alone, no statement of an owner has its condition on the owner.
vi.mock("@/lib/storage/owner-fence", async (original) => {
  const actual = await original<typeof import("@/lib/storage/owner-fence")>();
  const { withoutOwnerConditions } = await import(
    "@/lib/postgres/testing/without-owner-conditions"
  );
  return {
    ...actual,
    fencedTo: (...given: Parameters<typeof actual.fencedTo>) => {
      const fenced = actual.fencedTo(...given);
      return withoutOwnerConditions(fenced, () => fence.isAlone);
    },
  };
});

// Each refused statement would be a line.
vi.mock("@/lib/server/log", async (original) => ({
  ...(await original<typeof import("@/lib/server/log")>()),
  logFailure: () => undefined,
}));

let world: AccountsWorld;
beforeAll(async () => {
  world = await accountsWorld();
});
afterAll(() => world.end());

test("the second fence alone keeps people apart, with a tenth of the requests cancelled", {
  tags: "long",
  timeout: 300_000,
}, async () => {
  const ownerId = await world.ownerIdOf("owner");
  const before = await ownerRows(world.database.sql, ownerId);
  const asked = world.found.filter((each) => {
    const access = accessOf(each);
    return (access === "person" || access === "key") && !ofOneself.test(each.name);
  });
  const crossings: string[] = [];
  const statuses: Record<number, number> = {};
  let requests = 0;
  fence.isAlone = true;
  const rounds = Number(process.env.GROVE_TEST_DEPTH ?? 1) * 3;
  for (let round = 0; round < rounds; round++) {
    const answers = asked.map(async ({ name }) => {
      requests++;
      const isCancelled = Math.random() < 0.1;
      const asking = { isCancelled, key: world.keys.member };
      const { status, text } = await world.ask(name, "member", asking);
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (text.replaceAll(`q=${canary}`, "").includes(canary)) crossings.push(name);
    });
    await Promise.all(answers);
  }
  fence.isAlone = false;
  expect([...new Set(crossings)]).toEqual([]);
  expect(statuses[500]).toBeGreaterThan(requests / 10);
  expect(await ownerRows(world.database.sql, ownerId)).toEqual(before);
  expect((await world.ask("GET /api/sessions", "owner")).text).toContain(canary);
});
