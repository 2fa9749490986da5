import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { growTrees } from "../../session/testing/programs/run-tree-program";
import { treePrograms } from "../../session/testing/programs/tree-program";
import { PostgresSessionStore } from "../index";
import { createTestDatabase, type TestDatabase } from "../testing/test-database";
import { everything, history } from "./window";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test("a whole history is the same, however small the pieces it is read in", {
  tags: "long",
}, async () => {
  const property = fc.asyncProperty(
    treePrograms(40),
    fc.integer({ min: 1, max: 6 }),
    fc.boolean(),
    async (program, rowsAPiece, overlays) => {
      const owner = crypto.randomUUID();
      const store = new PostgresSessionStore(database.sql, owner);
      await growTrees(store, program);
      for (const { id: session } of (await store.sessions.list()).sessions) {
        const path = await store.messages(session).getHistory();
        for (const leaf of [null, ...path.map(({ id }) => id)]) {
          const span = { owner, session, leaf, after: -1, before: everything, overlays };
          const read = (limit: number) => history(database.sql, { ...span, limit }, rowsAPiece);
          expect(await read(everything)).toEqual(await read(everything - 1));
        }
      }
    },
  );
  await fc.assert(property, { numRuns: 8 * Number(process.env.GROVE_TEST_DEPTH ?? 1) });
});
