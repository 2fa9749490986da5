import { afterAll, beforeAll, expect, test } from "vitest";
import { newOwner } from "@/lib/chat/testing/chat-fixture";
import { brokenInvariants } from "@/lib/postgres/testing/broken-invariants";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { trySeeds } from "@/lib/text/testing/try-seeds";
import { expectSameExport, exported } from "./testing/compared-exports";
import { makeRandomAccount } from "./testing/random-account";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test(
  "an account of any kind comes back from its export as it was, and exports the same",
  { tags: "long" },
  () =>
    trySeeds(5, async (random) => {
      const { sql } = database;
      const [owner, copy] = [newOwner(sql), newOwner(sql)];
      await makeRandomAccount(owner, random);
      await expectSameExport(sql, { owner, copy, lines: await exported(owner) });
      for (const each of [owner, copy]) {
        expect(await brokenInvariants(sql, each.spaceId)).toEqual([]);
        await each.data.deleteAll();
      }
    }),
);
