import { afterAll, beforeAll, expect, test } from "vitest";
import { asPerson, localPersonId } from "@/lib/chat/core/person-in-space";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { accessTo, addressInSpace } from "./access";

const project = "p-00000000-0000-4000-8000-000000000001";
const ada = { personId: asPerson("ada") };
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.sql`insert into account_space (space_id, name, made_by) values (${project}, 'Tea', 'ada')`;
  await database.sql`insert into account_member (person_id, space_id, role) values ('ada', ${project}, 'writer')`;
});
afterAll(() => database.drop());

test("an address without a space, or with the person's, is in their own one", async () => {
  for (const space of [null, "ada"])
    expect(await accessTo(database.sql, ada, space)).toEqual({
      ...ada,
      spaceId: "ada",
      role: "owner",
    });
});

test("a member acts in a project with their role, and others are refused as if there were none", async () => {
  expect(await accessTo(database.sql, ada, project)).toMatchObject({
    spaceId: project,
    role: "writer",
  });
  for (const [who, space] of [
    [{ personId: localPersonId }, project],
    [ada, "local"],
    [ada, project.replace("1", "2")],
  ] as const)
    await expect(accessTo(database.sql, who, space)).rejects.toMatchObject({
      status: 404,
      code: "space-not-found",
    });
});

test("a deleted project is refused to its members", async () => {
  await database.sql`update account_space set deleted_at = now()`;
  await expect(accessTo(database.sql, ada, project)).rejects.toMatchObject({ status: 404 });
  await database.sql`update account_space set deleted_at = null`;
});

test.each([
  [`/p/${project}/api/sessions?limit=1`, "/api/sessions?limit=1", project],
  [`/p/${project}/mcp`, "/mcp", project],
  [`/p/${project}`, `/p/${project}`, null],
  [`/p/${project}/apis`, `/p/${project}/apis`, null],
  ["/api/sessions", "/api/sessions", null],
])("of the address %s goes on %s", (given, target, space) => {
  expect(addressInSpace(given)).toEqual({ target, space });
});
