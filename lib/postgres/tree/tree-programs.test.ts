import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runTreeProgram } from "../../session/testing/programs/run-tree-program";
import { treePrograms } from "../../session/testing/programs/tree-program";
import { trySeeds } from "../../text/testing/try-seeds";
import { deleteOwner } from "../portable/delete-rows";
import { PostgresSessionStore } from "../postgres-session-store";
import { brokenInvariants } from "../testing/broken-invariants";
import { createTestDatabase, type TestDatabase } from "../testing/test-database";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** Mostly short: ten of those run in the time of a long one. */
const programs = fc.oneof(
  { weight: 8, arbitrary: treePrograms(12) },
  { weight: 2, arbitrary: treePrograms(30) },
  { weight: 1, arbitrary: treePrograms(100) },
);

const property = fc.asyncProperty(programs, async (program) => {
  const { sql } = database;
  const owner = crypto.randomUUID();
  await runTreeProgram(new PostgresSessionStore(sql, owner), program, { isQuick: true });
  expect(await brokenInvariants(sql, owner)).toEqual([]);
  await deleteOwner(sql, owner);
});

test(
  "programs at once leave the trees of a plain model, and no row that contradicts another",
  { tags: "long" },
  () => trySeeds(25, (_, seed) => fc.assert(property, { seed, numRuns: 1 })),
);
