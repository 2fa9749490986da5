import { user } from "grove-session/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RouteName, routes } from "@/app/_api/routes";
import { needOf } from "@/app/api/endpoint";
import { accessOf, ofOneself } from "@/app/api/testing/route-matrix";
import { asSpace, inOwnSpace, type SpaceId } from "@/lib/chat/core/person-in-space";
import { createKey } from "@/lib/chat/programs/keys";
import { createKeyRequest } from "@/lib/chat/wire/keys";
import type { MembersWire, NewInvitationWire } from "@/lib/chat/wire/members";
import type { ProjectsWire, ProjectWire } from "@/lib/chat/wire/projects";
import { ownerRows } from "@/lib/postgres/testing/owner-rows";
import { services } from "@/lib/server/services";
import { changeMember } from "@/lib/storage/spaces/members";
import { membershipKey } from "@/lib/storage/spaces/postgres-projects";
import { type AccountsWorld, type Asked, accountsWorld } from "./testing/accounts-world";

let world: AccountsWorld;
let count = 0;

beforeAll(async () => {
  world = await accountsWorld();
});
afterAll(() => world.end());

async function newPerson(): Promise<string> {
  const name = `person${++count}`;
  await world.join(name, "member");
  return name;
}

async function project(who: string): Promise<SpaceId> {
  const id = `p-${crypto.randomUUID()}`;
  await world.ask("POST /api/projects", who, { body: { id, name: "Tea" } });
  return asSpace(id);
}

async function ask<Answer = unknown>(
  name: RouteName,
  who: string,
  { ids = {}, ...asked }: Asked & { ids?: Record<string, string> } = {},
): Promise<{ status: number; text: string; json: () => Answer }> {
  Object.assign(world.ids, ids);
  const { status, text } = await world.ask(name, who, asked);
  return { status, text, json: () => JSON.parse(text) as Answer };
}

async function membersOf(spaceId: SpaceId, who: string): Promise<MembersWire> {
  const members = "GET /api/projects/:spaceId/members";
  return (await ask<MembersWire>(members, who, { ids: { spaceId } })).json();
}

async function userIdOf(name: string): Promise<string> {
  const [row] = await world.database.sql<{ id: string }[]>`
    select id from account_user where name = ${name}`;
  return row?.id ?? "";
}

async function link(spaceId: SpaceId, who: string): Promise<{ token: string; id: string }> {
  const made = await ask<NewInvitationWire>("POST /api/projects/:spaceId/invitations", who, {
    ids: { spaceId },
    body: { role: "reader" },
  });
  const { link, invitation } = made.json();
  return { token: link.split("/").at(-1) ?? "", id: invitation.id };
}

const take = (token: string, who: string) =>
  ask<ProjectWire>("POST /api/projects/join", who, { body: { token } });

/** A project of two. */
async function sharedProject(): Promise<{ spaceId: SpaceId; owner: string; reader: string }> {
  const [owner, reader] = [await newPerson(), await newPerson()];
  const spaceId = await project(owner);
  const { token } = await link(spaceId, owner);
  expect((await take(token, reader)).status).toBe(200);
  return { spaceId, owner, reader };
}

const remove = async (spaceId: SpaceId, whom: string, by: string) =>
  ask("DELETE /api/projects/:spaceId/members/:userId", by, {
    ids: { spaceId, userId: await userIdOf(whom) },
  });

const setRole = async (
  spaceId: SpaceId,
  { whom, by, role }: { whom: string; by: string; role: string },
) =>
  ask("PATCH /api/projects/:spaceId/members/:userId", by, {
    ids: { spaceId, userId: await userIdOf(whom) },
    body: { role },
  });

async function projectsOf(who: string) {
  const { projects } = (await ask<ProjectsWire>("GET /api/projects", who)).json();
  return projects.map(({ role, others, isOnlyOwner }) => ({ role, others, isOnlyOwner }));
}

test("a link makes several people readers, is kept as a hash, and works until it is stopped", async () => {
  const [owner, one, two, late] = await Promise.all([1, 2, 3, 4].map(newPerson));
  const spaceId = await project(`${owner}`);
  const { token, id } = await link(spaceId, `${owner}`);
  expect(Buffer.from(token, "base64url")).toHaveLength(16);
  const rows = await world.database.sql`select * from account_invitation`;
  expect(JSON.stringify(rows)).not.toContain(token);
  for (const who of [`${one}`, `${two}`, `${two}`])
    expect((await take(token, who)).json()).toMatchObject({ id: spaceId, role: "reader" });
  expect(await projectsOf(`${one}`)).toEqual([{ role: "reader", others: 2, isOnlyOwner: false }]);
  expect(await projectsOf(`${owner}`)).toEqual([{ role: "owner", others: 2, isOnlyOwner: true }]);
  const { members, invitations } = await membersOf(spaceId, `${owner}`);
  expect(members.map(({ name, role, isYou }) => [name, role, isYou])).toEqual([
    [owner, "owner", true],
    [one, "reader", false],
    [two, "reader", false],
  ]);
  expect(invitations).toMatchObject([{ id, role: "reader" }]);
  const stop = "DELETE /api/projects/:spaceId/invitations/:invitationId";
  expect((await ask(stop, `${one}`, { ids: { spaceId, invitationId: id } })).status).toBe(403);
  expect((await ask(stop, `${owner}`)).status).toBe(200);
  expect((await take(token, `${late}`)).status).toBe(410);
});

test("a link leads nowhere after its end, in a deleted project, and once its maker owns nothing there", async () => {
  const { spaceId, owner, reader } = await sharedProject();
  const late = await newPerson();
  const { sql } = world.database;
  const { token } = await link(spaceId, owner);
  await sql`update account_invitation set ends_at = now() where space_id = ${spaceId}`;
  expect((await take(token, late)).status).toBe(410);
  const second = await link(spaceId, owner);
  await services().projects.delete(spaceId);
  expect((await take(second.token, late)).status).toBe(410);
  await services().projects.restore(spaceId);
  expect((await setRole(spaceId, { whom: reader, by: owner, role: "owner" })).status).toBe(200);
  expect((await setRole(spaceId, { whom: owner, by: reader, role: "reader" })).status).toBe(200);
  expect((await take(second.token, late)).status).toBe(410);
});

test("somebody with an account is added by their address, and an unknown one is refused", async () => {
  const [owner, other] = [await newPerson(), await newPerson()];
  const spaceId = await project(owner);
  const add = (email: string, role = "reader") =>
    ask("POST /api/projects/:spaceId/members", owner, { ids: { spaceId }, body: { email, role } });
  expect(await add("nobody@example.org")).toMatchObject({
    status: 404,
    text: expect.stringContaining("Make a link"),
  });
  expect((await add(` ${other.toUpperCase()}@example.org `)).status).toBe(200);
  expect((await membersOf(spaceId, owner)).members.map(({ name }) => name)).toEqual([owner, other]);
});

test("nobody is given “can edit”, and the refusal says what can be done", async () => {
  const { spaceId, owner, reader } = await sharedProject();
  const body = { role: "writer", email: `${reader}@example.org` };
  const ids = { spaceId, userId: await userIdOf(reader) };
  for (const name of [
    "POST /api/projects/:spaceId/members",
    "POST /api/projects/:spaceId/invitations",
    "PATCH /api/projects/:spaceId/members/:userId",
  ] as const)
    expect([name, await ask(name, owner, { ids, body })]).toMatchObject([
      name,
      { status: 400, text: expect.stringContaining("role-not-offered") },
    ]);
});

test("a reader sees members without their addresses, changes nobody, and leaves", async () => {
  const { spaceId, owner, reader } = await sharedProject();
  const shown = await membersOf(spaceId, reader);
  expect(shown.invitations).toEqual([]);
  expect(shown.members.map(({ email }) => email)).toEqual([null, null]);
  expect((await remove(spaceId, owner, reader)).status).toBe(403);
  expect((await setRole(spaceId, { whom: reader, by: reader, role: "owner" })).status).toBe(403);
  expect((await remove(spaceId, reader, reader)).status).toBe(200);
  expect(await projectsOf(reader)).toEqual([]);
});

test("a project keeps an owner, is handed over, and its files then count to the new one", async () => {
  const { spaceId, owner, reader } = await sharedProject();
  const alone = await remove(spaceId, owner, owner);
  expect([alone.status, alone.text]).toEqual([409, expect.stringContaining("last-owner")]);
  expect((await setRole(spaceId, { whom: owner, by: owner, role: "reader" })).status).toBe(409);
  expect((await setRole(spaceId, { whom: reader, by: owner, role: "owner" })).status).toBe(200);
  expect(await projectsOf(owner)).toEqual([{ role: "reader", others: 1, isOnlyOwner: false }]);
  expect((await setRole(spaceId, { whom: owner, by: owner, role: "owner" })).status).toBe(403);
  expect((await remove(spaceId, owner, owner)).status).toBe(200);
  expect(await projectsOf(reader)).toEqual([{ role: "owner", others: 0, isOnlyOwner: true }]);
  const [space] = await world.database.sql<{ made_by: string }[]>`
    select made_by from account_space where space_id = ${spaceId}`;
  expect(space?.made_by).toBe(await world.ownerIdOf(reader));
});

test("of two owners who remove each other at once one stays", { tags: "long" }, async () => {
  const { spaceId, owner, reader } = await sharedProject();
  const [one, two] = [await world.ownerIdOf(owner), await world.ownerIdOf(reader)];
  const { sql } = world.database;
  for (let round = 0; round < 20; round++) {
    await sql`
      insert into account_member (person_id, space_id, role)
      select person_id, ${spaceId}, 'owner' from unnest(${[one, two]}::text[]) person_id
      on conflict (person_id, space_id) do update set role = 'owner'`;
    const results = await Promise.all([
      changeMember(sql, { by: one, personId: two, spaceId }, null),
      changeMember(sql, { by: two, personId: one, spaceId }, null),
    ]);
    expect(results.toSorted()).toEqual(["changed", "missing"]);
    expect(await sql`select from account_member where space_id = ${spaceId}`).toHaveLength(1);
  }
});

test("with a first other member nobody's memory is read, until they turn it on again", async () => {
  const owner = await newPerson();
  const spaceId = await project(owner);
  const change = (personalMemory: boolean) =>
    ask("PATCH /api/projects/:spaceId", owner, { ids: { spaceId }, body: { personalMemory } });
  const isRead = async () =>
    (await ask<ProjectWire>("GET /api/projects/:spaceId", owner, { ids: { spaceId } })).json()
      .personalMemory;
  await change(true);
  await take((await link(spaceId, owner)).token, await newPerson());
  expect(await isRead()).toBe(false);
  await change(true);
  await take((await link(spaceId, owner)).token, await newPerson());
  expect(await isRead()).toBe(true);
});

test("what ends a membership ends streams, answers and keys of the person there", async () => {
  const { spaceId, owner, reader } = await sharedProject();
  const personId = await world.ownerIdOf(reader);
  await world.database.sql`
    update account_member set role = 'writer' where space_id = ${spaceId} and person_id = ${personId}`;
  const there = services().acting({ personId, spaceId });
  const scopes = { name: "A", canWrite: true, usesMemory: true, models: null, monthlyLimit: null };
  const request = createKeyRequest.parse({ ...scopes, mcp: [], space: spaceId });
  const { secret } = await createKey({ keys: there.keys }, request);
  await there.store.sessions.create("Chat", { id: "chat" });
  await there.store.messages("chat").appendMessage(user("q", "Why?"));
  const run = { id: crypto.randomUUID(), sessionId: "chat", messageId: "a", parentId: "q" };
  await there.runs.start({ ...run, model: "m" }, 60_000, { maxRunning: 9 });
  const signal = services().members.signalOf(membershipKey({ personId, spaceId }));
  const ofOwner = { personId: await world.ownerIdOf(owner), spaceId };
  const stays = services().members.signalOf(membershipKey(ofOwner));
  expect((await remove(spaceId, reader, owner)).status).toBe(200);
  expect([signal.aborted, stays.aborted]).toEqual([true, false]);
  expect(await there.runs.heartbeat({ id: run.id, fence: 0 }, 60_000)).toEqual({
    stopRequested: true,
  });
  await there.runs.finish(run.id, "stopped");
  const conversation = "GET /v1/conversations/:conversationId";
  expect((await world.ask(conversation, "anonymous", { key: secret })).status).toBe(401);
});

test("an end in another process is noticed by an event, and by the sweep", async () => {
  const { spaceId, reader } = await sharedProject();
  const personId = await world.ownerIdOf(reader);
  const { members, projects, acting } = services();
  const signal = () => members.signalOf(membershipKey({ personId, spaceId }));
  const first = signal();
  await members.endThoseGone((keys) => projects.memberships(keys));
  expect(first.aborted).toBe(false);
  await changeMember(world.database.sql, { by: personId, personId, spaceId }, null);
  acting(inOwnSpace(personId)).store.events.emit({ type: "settings", sessionId: null });
  await expect.poll(() => first.aborted).toBe(true);
  const second = signal();
  await members.endThoseGone((keys) => projects.memberships(keys));
  expect(second.aborted).toBe(true);
});

test("an account leaves the projects of others, and takes its own along", {
  tags: "long",
}, async () => {
  const { spaceId, owner, reader } = await sharedProject();
  const [others, own] = [await project(reader), await project(reader)];
  const { token } = await link(own, reader);
  await take(token, owner);
  await world.database.sql`
    update account_member set role = 'owner'
    where space_id = ${own} and person_id = ${await world.ownerIdOf(owner)}`;
  const leave = () =>
    ask("DELETE /api/account", reader, { body: { email: `${reader}@example.org` } });
  await ask("GET /api/export", reader);
  expect((await leave()).text).toContain("Download your project");
  await ask("GET /api/export", reader, { space: others });
  expect((await leave()).status).toBe(200);
  expect((await membersOf(spaceId, owner)).members.map(({ name }) => name)).toEqual([owner]);
  expect((await membersOf(own, owner)).members.map(({ name }) => name)).toEqual([owner]);
  const left = await world.database.sql`select from account_space where space_id = ${others}`;
  expect(left).toHaveLength(0);
});

test("one person's memory is in nothing that another member gets", { tags: "long" }, async () => {
  const { spaceId, owner, reader } = await sharedProject();
  const personId = await world.ownerIdOf(owner);
  const own = services().acting(inOwnSpace(personId));
  const there = services().acting({ personId, spaceId });
  await there.store.sessions.create("Chat", { id: "s" });
  await there.store.messages("s").appendMessage(user("m", "Shared words"));
  await services().acting(inOwnSpace(personId)).store.sessions.create("A heron", { id: "s" });
  await own.store.messages("s").appendMessage(user("m", "A heron"));
  await own.settings.change({ customName: "heron" });
  await there.personalParts.add("s", { id: "part", prompt: "A heron" });
  let shown = "";
  for (const name of Object.keys(routes).filter((each) => each.startsWith("GET "))) {
    Object.assign(world.ids, { spaceId, sessionId: "s", messageId: "m" });
    for (const space of [undefined, spaceId]) {
      const { text } = await world.ask(name, reader, { ...(space && { space }) });
      expect([name, space, text.includes("heron")]).toEqual([name, space, false]);
      shown += text;
    }
  }
  expect(shown).toContain("Shared words");
});

test("every route of a project serves each role what it may, and others nothing", {
  tags: "long",
}, async () => {
  const { spaceId, owner, reader } = await sharedProject();
  const removed = await newPerson();
  await take((await link(spaceId, owner)).token, removed);
  await remove(spaceId, removed, owner);
  const other = await newPerson();
  const inApi = world.found.filter(
    (each) =>
      each.name in routes &&
      ["person", "administrator"].includes(accessOf(each) ?? "") &&
      !ofOneself.test(each.name),
  );
  const there = services().acting({ personId: await world.ownerIdOf(owner), spaceId });
  await there.store.sessions.create("Chat", { id: "s" });
  await there.store.messages("s").appendMessage(user("m", "Shared words"));
  // A first read makes default blocks, here before the reader comes.
  for (const name of [
    "GET /api/blocks",
    "GET /api/assistants",
    "GET /api/sessions/:sessionId/context",
  ])
    await world.ask(name, owner, { space: spaceId });
  // An owner has a row of settings or none.
  const rows = async () =>
    JSON.stringify(await ownerRows(world.database.sql, spaceId)).replace(
      '"settings":null',
      '"settings":{}',
    );
  const before = await rows();
  for (const { name } of inApi) {
    Object.assign(world.ids, { spaceId, sessionId: "s", messageId: "m" });
    const need = needOf(name as RouteName);
    for (const who of [removed, other, "admin", "owner"]) {
      const { status, text } = await world.ask(name, who, { space: spaceId });
      expect([name, who, status, text.includes("space-not-found")]).toEqual([name, who, 404, true]);
    }
    expect([name, (await world.ask(name, "anonymous", { space: spaceId })).status]).toEqual([
      name,
      401,
    ]);
    const { status, text } = await world.ask(name, reader, { space: spaceId });
    const isRefused = status === 403 && text.includes("Your role in this project");
    const isMissing = status === 404 && text.includes("space-not-found");
    expect([name, isRefused, isMissing]).toEqual([
      name,
      need === "writes" || need === "owns",
      need === "person",
    ]);
  }
  expect(await rows()).toEqual(before);
  const own = inApi.filter(({ path }) => path.startsWith("/api/projects/:spaceId"));
  expect(own.length).toBeGreaterThan(8);
  for (const { name } of own)
    for (const who of [removed, other, "admin", "owner"]) {
      world.ids.spaceId = spaceId;
      const status = (await world.ask(name, who)).status;
      expect([name, who, [400, 404].includes(status)]).toEqual([name, who, true]);
    }
});
