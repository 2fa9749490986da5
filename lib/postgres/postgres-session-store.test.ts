import { afterAll, beforeAll } from "vitest";
import {
  describeSearchBlock,
  describeSessionStore,
  describeSkillBlock,
  describeTreePrograms,
} from "../session/testing";
import { PostgresSearchProvider, PostgresSkillProvider } from "./memory/entries";
import { PostgresSessionStore } from "./postgres-session-store";
import { createTestDatabase, type TestDatabase } from "./testing/test-database";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const owner = () => crypto.randomUUID();

describeSessionStore("Postgres", () => new PostgresSessionStore(database.sql, owner()), {
  longPath: 300,
});
describeSkillBlock(
  "PostgresSkillProvider",
  () => new PostgresSkillProvider(database.sql, { ownerId: owner(), label: "skills" }),
);
describeSearchBlock(
  "PostgresSearchProvider",
  () => new PostgresSearchProvider(database.sql, { ownerId: owner(), label: "knowledge" }),
);
// `npm run test:deep` asks for more.
const deep = Number(process.env.GROVE_TEST_DEPTH ?? 1);

describeTreePrograms("Postgres", () => new PostgresSessionStore(database.sql, owner()), {
  runs: 10 * deep,
});
