import { afterAll, beforeAll, expect, test } from "vitest";
import { asPerson, asSpace, localPersonId } from "@/lib/chat/core/person-in-space";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { PostgresProjects } from "@/lib/storage/spaces/postgres-projects";
import { accessTo, addressInSpace, type Need } from "./access";

const project = "p-00000000-0000-4000-8000-000000000001";
const ada = { personId: asPerson("ada") };
let database: TestDatabase;
let projects: PostgresProjects;

beforeAll(async () => {
  database = await createTestDatabase();
  projects = new PostgresProjects(database.sql);
  await projects.make({ ...ada, spaceId: asSpace(project) }, "Tea");
});
afterAll(() => database.drop());

const access = (who: typeof ada, space: string, need: Need = "writes") =>
  accessTo({ projects, readySoon: async () => undefined }, who, { space, need });
const refused = { status: 404, code: "space-not-found" };

test("an address with the person's id is in their own space", async () => {
  for (const need of ["reads", "person"] as const)
    expect(await access(ada, "ada", need)).toEqual({ ...ada, spaceId: "ada", project: null });
});

test.each([
  ["owner", ["reads", "writes", "owns"]],
  ["writer", ["reads", "writes"]],
  ["reader", ["reads"]],
])("in a project a member who is %s may what needs %j", async (role, may) => {
  await database.sql`update account_member set role = ${role}`;
  for (const need of ["reads", "writes", "owns"] as const) {
    const asked = access(ada, project, need);
    if (may.includes(need)) expect(await asked).toMatchObject({ spaceId: project });
    else await expect(asked).rejects.toMatchObject({ status: 403 });
  }
});

test("what no project has, others' projects and unknown ones are refused alike", async () => {
  for (const [who, space, need] of [
    [ada, project, "person"],
    [{ personId: localPersonId }, project, "reads"],
    [ada, "local", "reads"],
    [ada, project.replace("1", "2"), "reads"],
  ] as const)
    await expect(access(who, space, need)).rejects.toMatchObject(refused);
});

test("a deleted project is refused to its members", async () => {
  await projects.delete(asSpace(project));
  await expect(access(ada, project, "reads")).rejects.toMatchObject(refused);
  await projects.restore(asSpace(project));
});

test.each([
  [`/p/${project}/api/sessions?limit=1`, "/api/sessions?limit=1", project],
  [`/p/${project}/mcp`, `/p/${project}/mcp`, null],
  [`/p/${project}`, `/p/${project}`, null],
  [`/p/${project}/apis`, `/p/${project}/apis`, null],
  ["/api/sessions", "/api/sessions", null],
])("of the address %s goes on %s", (given, target, space) => {
  expect(addressInSpace(given)).toEqual({ target, space });
});
