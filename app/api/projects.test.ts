import { user } from "grove-session/testing";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import {
  asSpace,
  inOwnSpace,
  type PersonId,
  type PersonInSpace,
  type SpaceId,
} from "@/lib/chat/core/person-in-space";
import { exportEverything, importEverything } from "@/lib/chat/data/portable-data";
import type { ProjectsWire } from "@/lib/chat/wire/projects";
import type { ChangedSessionsWire } from "@/lib/chat/wire/sessions";
import { identifier } from "@/lib/postgres/connections/sql";
import { placeOfMoved } from "@/lib/server/moved-chats";
import type { OwnerServices } from "@/lib/server/owner-services";
import { deleteOldProjects, listProjects, stopInDeletedProjects } from "@/lib/server/projects";
import { recoverRuns } from "@/lib/server/recover-runs";
import { searchElsewhere } from "@/lib/server/search-elsewhere";
import { services } from "@/lib/server/services";
import { type AccountsWorld, accountsWorld } from "./testing/accounts-world";

let world: AccountsWorld;
let personId: PersonId;

beforeAll(async () => {
  world = await accountsWorld();
  personId = await world.ownerIdOf("member");
});
afterAll(() => world.end());

async function project(name: string, who = "member"): Promise<SpaceId> {
  const id = `p-${crypto.randomUUID()}`;
  const made = await world.ask("POST /api/projects", who, { body: { id, name } });
  expect(made.status).toBe(201);
  return asSpace(id);
}

const inSpace = (spaceId: SpaceId, of = personId) => services().acting({ personId: of, spaceId });

async function listed(deleted = false): Promise<string[]> {
  return (await services().projects.list(personId, { deleted })).map(({ name }) => name);
}

/** The tables that hold rows of the owner. */
async function tablesOf(ownerId: string): Promise<string[]> {
  const { sql } = world.database;
  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'owner_id' and table_name like 'chat\\_%'`;
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await sql`
      select from ${identifier(name)} where split_part(owner_id, chr(31), 1) = ${ownerId}`;
    if (rows.length > 0) found.push(name);
  }
  return found;
}

test("a name is trimmed, has 1 to 80 characters, and an id is made once", async () => {
  const id = `p-${crypto.randomUUID()}`;
  const make = (name: string, who = "member") =>
    world.ask("POST /api/projects", who, { body: { id, name } });
  expect((await make("  ")).status).toBe(400);
  expect((await make("x".repeat(81))).status).toBe(400);
  expect(JSON.parse((await make(" Tea ")).text)).toMatchObject({ id, name: "Tea" });
  expect(JSON.parse((await make("Tea")).text)).toMatchObject({ id, name: "Tea" });
  expect((await make("Tea", "owner")).status).toBe(409);
  const shown = JSON.parse((await world.ask("GET /api/projects", "owner")).text) as ProjectsWire;
  expect(shown.projects).toEqual([]);
});

test("a key is made for a project of the person alone", async () => {
  const space = await project("For a program");
  const body = { name: "A", canWrite: true, usesMemory: false, models: null, monthlyLimit: null };
  const make = (who: string) => world.ask("POST /api/keys", who, { body: { ...body, space } });
  expect(JSON.parse((await make("member")).text)).toMatchObject({ key: { space } });
  expect(await make("admin")).toMatchObject({
    status: 404,
    text: expect.stringContaining("space-not-found"),
  });
});

test("its settings are changed by its owner, and tabs hear of it", async () => {
  world.ids.spaceId = await project("Coffee");
  const heard: string[] = [];
  const end = services().tabs.subscribe(inOwnSpace(personId).spaceId, ({ type }) =>
    heard.push(type),
  );
  const body = { name: "Cocoa", personalMemory: false };
  const changed = await world.ask("PATCH /api/projects/:spaceId", "member", { body });
  expect(JSON.parse(changed.text)).toMatchObject(body);
  await expect.poll(() => heard).toContain("settings-changed");
  end();
  expect((await world.ask("PATCH /api/projects/:spaceId", "admin", { body })).status).toBe(404);
});

test("settings of the person reach a page of a project, and its content no page outside", async () => {
  const spaceId = await project("Events", "admin");
  const admin = await world.ownerIdOf("admin");
  const { store, settings } = inSpace(spaceId, admin);
  const { tabs } = services();
  const inside: string[] = [];
  const outside: string[] = [];
  const ends = [
    tabs.subscribe(spaceId, ({ type }) => inside.push(type)),
    tabs.subscribe(inOwnSpace(admin).spaceId, ({ type }) => outside.push(type)),
  ];
  await store.sessions.create("Chat", { id: "chat" });
  await settings.change({ customName: "Bo" });
  // Equal events of a moment reach a tab as one, at its end.
  await expect.poll(() => outside).toContain("settings-changed");
  for (const end of ends) end();
  expect([inside, new Set(outside)]).toEqual([["session-changed"], new Set(["settings-changed"])]);
});

test("an export has what the project holds, and no setting of the person", async () => {
  const [from, to] = [await project("From"), await project("To")];
  const { store, settings } = inSpace(from);
  await settings.change({ defaultModel: "pelican/model" });
  await store.sessions.create("Exported", { id: "exported" });
  await store.messages("exported").appendMessage(user("m", "Words of it"));
  const lines = await Array.fromAsync(await exportEverything(inSpace(from)));
  expect(lines.join("")).toContain("Words of it");
  expect(lines.join("")).not.toContain("pelican");
  async function* given() {
    yield* lines;
  }
  await importEverything(inSpace(to), given());
  expect((await inSpace(to).store.sessions.get("exported"))?.name).toBe("Exported");
  expect(await services().acting(inOwnSpace(personId)).store.sessions.get("exported")).toBeNull();
});

test("files in projects count towards the limit of the person", async () => {
  const admin = await world.ownerIdOf("admin");
  const { accounts, limits } = services();
  const megabyte = { monthlyDollars: null, messagesPerDay: null, storedMegabytes: 1 };
  const [row] = await world.database.sql<{ id: string }[]>`
    select id from account_user where owner_id = ${admin}`;
  await accounts?.store.policies.change(row?.id ?? "", { limits: megabyte });
  const owners = [
    services().acting(inOwnSpace(admin)),
    inSpace(await project("Files", "admin"), admin),
    inSpace(await project("More files", "admin"), admin),
  ];
  const put = (n: number) =>
    owners[n]?.files.put(Buffer.alloc(400_000, `${n}`), { name: `${n}.txt` });
  await put(0);
  await put(1);
  await expect(put(2)).rejects.toMatchObject({ code: "storage-full" });
  expect((await limits.view(admin))?.spent.storedBytes).toBe(800_000);
});

test("a chat is moved to a project and back, and its old address says where it is", {
  tags: "long",
}, async () => {
  const spaceId = await project("Chats");
  const own = services().acting(inOwnSpace(personId));
  await own.store.sessions.create("Moved", { id: "moved" });
  await own.store.messages("moved").appendMessage(user("q", "Why?"));
  world.ids.sessionId = "moved";
  const move = (space: string | null, from?: SpaceId) =>
    world.ask("POST /api/sessions/:sessionId/move", "member", {
      body: { space },
      ...(from && { space: from }),
    });
  const theirs = await project("Theirs", "admin");
  expect((await move(theirs)).status).toBe(404);
  expect((await move(null)).status).toBe(200);
  const heard: string[] = [];
  const end = services().tabs.subscribe(spaceId, ({ type }) => heard.push(type));
  expect((await move(spaceId)).status).toBe(200);
  expect((await move(spaceId)).status).toBe(200);
  await expect.poll(() => heard).toContain("data-changed");
  end();
  const body = { id: "late", parts: [{ type: "text", text: "Late" }], generate: false };
  const send = (space?: SpaceId) =>
    world.ask("POST /api/sessions/:sessionId/messages", "member", {
      body: { ...body, newSession: {} },
      ...(space && { space }),
    });
  const refused = await send();
  expect(refused.status).toBe(409);
  expect(refused.text).toContain("in the project “Chats” now");
  expect((await send(spaceId)).status).toBe(201);
  const identity = { personId, person: null };
  const from = { spaceId: own.spaceId, sessionId: "moved" };
  expect(await placeOfMoved(services(), identity, from)).toMatchObject({ spaceId });
  const admin = { personId: await world.ownerIdOf("admin"), person: null };
  expect(await placeOfMoved(services(), admin, from)).toBeNull();
  expect((await move(null, spaceId)).status).toBe(200);
  expect((await send(spaceId)).text).toContain("in My chats now");
  expect(await own.store.messages("moved").getMessage("late")).not.toBeNull();
});

test("temporary chats and those of programs are not moved, and one with a copy there is refused", async () => {
  const spaceId = await project("Copies");
  const own = services().acting(inOwnSpace(personId));
  const move = async (sessionId: string) => {
    world.ids.sessionId = sessionId;
    return world.ask("POST /api/sessions/:sessionId/move", "member", { body: { space: spaceId } });
  };
  expect((await move("temporary-x")).text).toContain("Keep it first");
  const program = { keyId: "k", name: "A program" };
  await own.store.sessions.create("Logged", { id: "logged", metadata: { program } });
  expect((await move("logged")).text).toContain("Branch it in a new chat, then move that one");
  for (const { store } of [own, inSpace(spaceId)])
    await store.sessions.create("Copied", { id: "copied" });
  expect(await move("copied")).toMatchObject({
    status: 409,
    text: expect.stringContaining("A copy of this chat is in the project “Copies” already"),
  });
});

test("one request changes several chats, and one that fails leaves the others changed", async () => {
  const spaceId = await project("Together");
  const own = services().acting(inOwnSpace(personId));
  for (const id of ["put-by", "named", "gone", "taken"])
    await own.store.sessions.create(id, { id: `together-${id}` });
  const ask = (changes: readonly unknown[], who = "member") =>
    world.ask("PATCH /api/sessions", who, { body: { changes } });
  const changes = [
    { id: "together-put-by", archived: true },
    { id: "together-named", tags: ["tea"] },
    { id: "together-nowhere", archived: true },
    { id: "together-gone", deletionId: "together" },
    { id: "together-taken", space: spaceId },
  ];
  const { status, text } = await ask(changes);
  expect(status).toBe(200);
  const { results }: ChangedSessionsWire = JSON.parse(text);
  expect(results).toMatchObject([
    { session: { archived: true } },
    { session: { tags: ["tea"] } },
    { error: { code: "session-not-found" } },
    { session: null },
    { session: { id: "together-taken" } },
  ]);
  expect(await own.store.sessions.get("together-gone")).toBeNull();
  expect(await inSpace(spaceId).store.sessions.get("together-taken")).not.toBeNull();
  expect((await ask(changes)).text).toBe(text);
  const restored = await ask([{ id: "together-gone", isRestored: true }]);
  expect(JSON.parse(restored.text)).toMatchObject({ results: [{ session: { title: "gone" } }] });
  const foreign = await ask([{ id: "together-named", deletionId: "foreign" }], "admin");
  expect(JSON.parse(foreign.text)).toMatchObject({
    results: [{ error: { code: "session-not-found" } }],
  });
  expect((await ask([{ id: "temporary-x", archived: true }])).status).toBe(400);
  expect((await ask([])).status).toBe(400);
  expect((await ask([{ id: "together-named", archived: true, tags: [] }])).status).toBe(400);
});

test.each([
  ["that a crash left", "Crashed", (owner: OwnerServices) => owner],
  ["not kept for a program", "Unkept", ({ temporary }: OwnerServices) => temporary],
])("an answer %s is ended for the person who asked", async (_, name, placeIn) => {
  const spaceId = await project(name);
  const owner = placeIn(inSpace(spaceId));
  await owner.store.sessions.create("Chat", { id: "crashed" });
  await owner.store.messages("crashed").appendMessage(user("q", "Why?"));
  const run = { id: "r", sessionId: "crashed", messageId: "a", parentId: "q", model: "m" };
  await owner.runs.start({ ...run, reserved: 1 }, -1, { maxRunning: 9 });
  const people: (string | null)[] = [];
  const { claims, runner, dataOf } = services();
  await recoverRuns({
    claims,
    runner,
    dataOf: (space, person) => {
      people.push(person);
      return dataOf(space, person);
    },
  });
  expect(people).toEqual([personId]);
  expect(await owner.runs.get("r")).toMatchObject({ status: "interrupted", personId });
  const held = await world.database.sql`select from chat_usage where reserved_until is not null`;
  expect(held).toHaveLength(0);
});

test("once deleted its answers stop, it is listed to be restored, and after its days nothing is left", async () => {
  const spaceId = await project("Deleted");
  world.ids.spaceId = spaceId;
  const { store, runs } = inSpace(spaceId);
  await store.sessions.create("Gone", { id: "gone" });
  await store.messages("gone").appendMessage(user("q", "Why?"));
  await world.ask("DELETE /api/projects/:spaceId", "member");
  expect([await listed(), await listed(true)]).toEqual([
    expect.not.arrayContaining(["Deleted"]),
    ["Deleted"],
  ]);
  // It began at the moment of the deletion.
  const run = { id: "late", sessionId: "gone", messageId: "a", parentId: "q", model: "m" };
  await runs.start(run, 60_000, { maxRunning: 9 });
  await stopInDeletedProjects(services());
  expect(await runs.heartbeat({ id: "late", fence: 0 }, 60_000)).toEqual({ stopRequested: true });
  await runs.finish("late", "stopped");
  await deleteOldProjects(services());
  expect(await store.sessions.get("gone")).not.toBeNull();
  await world.database
    .sql`update account_space set deleted_at = now() - interval '400 days' where space_id = ${spaceId}`;
  await deleteOldProjects(services());
  expect(await listed(true)).toEqual([]);
  expect(await tablesOf(spaceId)).toEqual([]);
  const body = { id: spaceId, name: "Again" };
  expect((await world.ask("POST /api/projects", "member", { body })).status).toBe(409);
});

test("one restored while the sweep was at another stays, and one it has begun is never restored", async () => {
  const spaceId = await project("Contested");
  world.ids.spaceId = spaceId;
  const { store } = inSpace(spaceId);
  await store.sessions.create("Kept", { id: "kept" });
  const { sql } = world.database;
  const makeOld = () =>
    sql`update account_space set deleted_at = now() - interval '400 days' where space_id = ${spaceId}`;
  const restore = () => world.ask("POST /api/projects/:spaceId/restore", "member");
  await makeOld();
  vi.spyOn(services().projects, "deletedBefore").mockImplementationOnce(async () => {
    expect((await restore()).status).toBe(200);
    return [spaceId];
  });
  await deleteOldProjects(services());
  expect(await store.sessions.get("kept")).not.toBeNull();
  expect(await listed()).toContain("Contested");
  await makeOld();
  await sql`insert into chat_clearing (owner_id, kind) values (${spaceId}, 'account')`;
  await deleteOldProjects(services());
  expect((await restore()).status).toBe(404);
  const shown = await listProjects(services(), { personId, person: null }, { deleted: true });
  expect(shown.projects.map(({ name }) => name)).not.toContain("Contested");
  await sql`update chat_clearing set renewed_at = now() - interval '2 minutes' where owner_id = ${spaceId}`;
  await deleteOldProjects(services());
  expect(await tablesOf(spaceId)).toEqual([]);
});

test("a removed account, too, goes with its projects, once each was downloaded", {
  tags: "long",
}, async () => {
  await world.join("leaver", "member");
  const leaver = await world.ownerIdOf("leaver");
  const spaceId = await project("Its project", "leaver");
  await inSpace(spaceId, leaver).store.sessions.create("Chat", { id: "chat" });
  const leave = () =>
    world.ask("DELETE /api/account", "leaver", { body: { email: "leaver@example.org" } });
  await world.ask("GET /api/export", "leaver", { space: spaceId });
  expect((await leave()).text).toContain("Download everything first");
  await world.ask("GET /api/export", "leaver");
  const other = await project("Another", "leaver");
  const [row] = await world.database.sql<{ id: string }[]>`
    select id from account_user where owner_id = ${leaver}`;
  const deletesAt = new Date(Date.now() + 60_000);
  await services().accounts?.store.policies.change(row?.id ?? "", { deletesAt });
  expect((await world.ask("GET /api/sessions", "leaver")).status).toBe(403);
  expect((await world.ask("GET /api/projects", "leaver")).text).toContain("Another");
  expect((await leave()).text).toContain("Download your project “Another” first");
  await world.ask("GET /api/export", "leaver", { space: other });
  expect((await leave()).status).toBe(200);
  for (const owner of [leaver, spaceId, other]) expect(await tablesOf(owner)).toEqual([]);
  expect(
    await world.database.sql`select from account_member where person_id = ${leaver}`,
  ).toHaveLength(0);
});

test("other places are searched for their person alone, a project by its name, and one that fails is named", {
  tags: "long",
}, async () => {
  await world.join("seeker", "member");
  const seeker = await world.ownerIdOf("seeker");
  const [shop, garden, gone] = [
    await project("Tea shop", "seeker"),
    await project("Garden", "seeker"),
    await project("Tea house", "seeker"),
  ];
  const own = inOwnSpace(seeker).spaceId;
  for (const spaceId of [own, shop, garden, gone, inOwnSpace(personId).spaceId]) {
    const { store } = services().acting({ personId: seeker, spaceId });
    await store.sessions.create(`Of ${spaceId}`, { id: "kettles" });
    await store.messages("kettles").appendMessage(user("m", `A kettle in ${spaceId}`));
  }
  await services().projects.delete(gone);
  const search = async (input: string, spaceId: SpaceId, used = services()) => {
    const who = { personId: seeker, spaceId };
    const { signal } = new AbortController();
    const { places, problems } = await searchElsewhere(used, who, { input, signal });
    const found = places.map(({ name, hits: [hit] }) => [name, hit?.snippet.text]);
    return { found, problems };
  };
  expect(await search("kettle", shop)).toEqual({
    found: [
      [null, `A kettle in ${own}`],
      ["Garden", `A kettle in ${garden}`],
    ],
    problems: [],
  });
  expect((await search("kettle", own)).found.map(([name]) => name)).toEqual(["Garden", "Tea shop"]);
  const ofShop = [["Tea shop", `A kettle in ${shop}`]];
  expect((await search('kettle project:"tea s"', own)).found).toEqual(ofShop);
  expect((await search("project:tea kettle", shop)).found).toEqual(ofShop);
  expect(await search("project:coffee kettle", own)).toEqual({
    found: [],
    problems: ["No project is called “coffee”."],
  });
  const broken = {
    ...services(),
    acting: (who: PersonInSpace) => {
      if (who.spaceId === garden) throw new Error("No database.");
      return services().acting(who);
    },
  };
  expect(await search("kettle", shop, broken)).toMatchObject({
    found: [[null, `A kettle in ${own}`]],
    problems: ["“Garden” could not be searched."],
  });
});
