import { user } from "grove-session/testing";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type RouteName, routes } from "@/app/_api/routes";
import { needOf } from "@/app/api/endpoint";
import { accessOf, ofOneself } from "@/app/api/testing/route-matrix";
import {
  asSpace,
  inOwnSpace,
  isOwnSpace,
  type PersonInSpace,
  type SpaceId,
} from "@/lib/chat/core/person-in-space";
import { createKey } from "@/lib/chat/programs/keys";
import { createKeyRequest, mcpScopeSchema } from "@/lib/chat/wire/keys";
import { ownerRows } from "@/lib/postgres/testing/owner-rows";
import { services } from "@/lib/server/services";
import {
  type AccountsWorld,
  accountsWorld,
  canary,
  metricsToken,
  origin,
} from "./testing/accounts-world";

let world: AccountsWorld;
beforeAll(async () => {
  world = await accountsWorld();
});
afterAll(() => world.end());

function named(...wanted: ReturnType<typeof accessOf>[]): string[] {
  return world.found.filter((each) => wanted.includes(accessOf(each))).map(({ name }) => name);
}

const strangers = ["anonymous", "revoked", "expired"];
const everybody = [...strangers, "member", "admin", "owner"];

describe("every route and page", () => {
  test("is known to the matrix, with whom it is for", () => {
    expect(world.found.filter((each) => accessOf(each) === null)).toEqual([]);
    const ofApi = world.found.filter(
      ({ path, isPage }) => path.startsWith("/api/") && path !== "/api/:path*" && !isPage,
    );
    expect(ofApi.map(({ name }) => name).sort()).toEqual(Object.keys(routes).sort());
    const handled = world.found.filter(({ isPage }) => !isPage).map(({ name }) => name);
    expect([...world.handlers.keys()].sort()).toEqual(handled.sort());
    const counts = everybody.length * world.found.length;
    expect(counts).toBeGreaterThan(900);
  });

  test.each(strangers)("of people refuses %s with 401", async (subject) => {
    for (const name of named("person", "administrator")) {
      const { status, text } = await world.ask(name, subject);
      expect([name, status, text.includes("signed-out")]).toEqual([name, 401, true]);
    }
  });

  test.each(strangers)("that is a page sends %s to the sign-in page", async (subject) => {
    for (const name of named("page")) {
      const { status, location } = await world.ask(name, subject);
      expect([name, status]).toEqual([name, 303]);
      expect(location).toMatch(/^https:\/\/grove\.test\/sign-in(\?|$)/);
    }
  });

  test.each(["member", "admin", "owner"])("that is a page lets %s in", async (subject) => {
    for (const name of named("page"))
      expect([name, (await world.ask(name, subject)).status]).toEqual([name, 200]);
    for (const name of ["GET /sign-in", "GET /welcome"])
      expect((await world.ask(name, subject)).location).toBe(`${origin}/`);
  });

  test.each(["member", "admin", "owner"])(
    "for administrators admits %s by their role",
    async (subject) => {
      for (const name of named("administrator")) {
        if (ofOneself.test(name)) continue;
        const { status, text } = await world.ask(name, subject);
        const isRefused = status === 403 && text.includes("Only administrators");
        // A wrong body is said first.
        expect([name, isRefused || status === 400]).toEqual([
          name,
          subject === "member" || status === 400,
        ]);
      }
    },
  );

  test.each(everybody)("of programs takes no cookie of %s instead of a key", async (subject) => {
    for (const name of named("key")) {
      expect([name, (await world.ask(name, subject)).status]).toEqual([name, 401]);
      const revoked = await world.ask(name, subject, { key: world.keys.revoked });
      expect([name, revoked.status]).toEqual([name, 401]);
    }
  });

  test.each(everybody)("for Prometheus takes no cookie of %s instead of its token", async (who) => {
    expect((await world.ask("GET /metrics", who)).status).toBe(401);
    const { status, text } = await world.ask("GET /metrics", who, { key: metricsToken });
    expect([status, text.includes("grove_info")]).toEqual([200, true]);
    expect(text).not.toMatch(/pelican|example\.org|owner_id/);
  });

  test.each(everybody)("that is open tells %s the same as everybody", async (subject) => {
    for (const name of named("open")) {
      if (ofOneself.test(name) || name === "GET /preview") continue;
      const [{ status, text }, anonymous] = [
        await world.ask(name, subject),
        await world.ask(name, "anonymous"),
      ];
      expect([name, status, text]).toEqual([name, anonymous.status, anonymous.text]);
    }
    const { text } = await world.ask("GET /preview", subject);
    expect(text).not.toContain(canary);
  });
});

describe("in a project", () => {
  const space = "p-00000000-0000-4000-8000-00000000000a";
  const inApi = () => named("person", "administrator").filter((name) => name in routes);
  const ofPerson = (name: string) => needOf(name as RouteName) === "person";
  const notFound = { status: 404, text: expect.stringContaining("space-not-found") };
  const askAll = async (names: readonly string[], who: string) => {
    for (const name of names)
      expect([name, await world.ask(name, who, { space })]).toEqual([
        name,
        expect.objectContaining(notFound),
      ]);
  };
  const idsOf = (spaceId: SpaceId) => {
    const id = `word-of-${spaceId}`;
    return { conversationId: `conv_${id}`, itemId: `msg_m-${id}`, responseId: `resp_m-${id}` };
  };
  const keyOf = async (who: PersonInSpace): Promise<string> => {
    const { store, keys } = services().acting(who);
    const id = `word-of-${who.spaceId}`;
    await store.sessions.create(`The word of ${who.spaceId}`, { id });
    await store.messages(id).appendMessage(user(`m-${id}`, `The word of ${who.spaceId}`));
    const scopes = createKeyRequest.parse({
      ...{ name: "A program", canWrite: true, usesMemory: true, models: null, monthlyLimit: null },
      mcp: mcpScopeSchema.options,
      space: isOwnSpace(who) ? null : who.spaceId,
    });
    return (await createKey({ keys }, scopes)).secret;
  };
  beforeAll(async () => {
    const made = await world.ask("POST /api/projects", "member", {
      body: { id: space, name: "Tea" },
    });
    expect(made.status).toBe(201);
  });

  test("its member is served what it has, and nothing of a person", { tags: "long" }, async () => {
    await askAll(inApi().filter(ofPerson), "member");
    const content = inApi().filter((name) => !ofPerson(name) && !ofOneself.test(name));
    expect(content.length).toBeGreaterThan(60);
    for (const name of content) {
      const { text } = await world.ask(name, "member", { space });
      expect([name, text.includes("space-not-found")]).toEqual([name, false]);
    }
    const session = { id: "in-project", title: "Only there" };
    await world.ask("POST /api/sessions", "member", { space, body: session });
    const listed = async (asked?: { space: string }) =>
      (await world.ask("GET /api/sessions", "member", asked)).text.includes("Only there");
    expect([await listed({ space }), await listed()]).toEqual([true, false]);
  });

  test.each(["owner", "admin"])("%s, who is no member, finds nothing", async (who) => {
    await askAll(inApi(), who);
  });

  test("a key of one place reads nothing of another, and changes nothing there", {
    tags: "long",
  }, async () => {
    const ids = { ...world.ids };
    onTestFinished(() => void Object.assign(world.ids, ids));
    const personId = await world.ownerIdOf("member");
    const other = asSpace("p-00000000-0000-4000-8000-00000000000b");
    await services().projects.make({ personId, spaceId: other }, "Coffee");
    const places = [inOwnSpace(personId).spaceId, asSpace(space), other];
    const keys = await Promise.all(places.map((spaceId) => keyOf({ personId, spaceId })));
    const programs = named("key");
    for (const [index, spaceId] of places.entries()) {
      const [key, others] = [keys[index], places.filter((each) => each !== spaceId)];
      const before = await Promise.all(others.map((each) => ownerRows(world.database.sql, each)));
      for (const from of others) {
        Object.assign(world.ids, idsOf(from));
        for (const name of programs) {
          const { text } = await world.ask(name, "anonymous", { key: `${key}` });
          expect([name, text.includes(`word of ${from}`)]).toEqual([name, false]);
        }
      }
      expect(await Promise.all(others.map((each) => ownerRows(world.database.sql, each)))).toEqual(
        before,
      );
      Object.assign(world.ids, idsOf(spaceId));
      const items = "GET /v1/conversations/:conversationId/items";
      const { text } = await world.ask(items, "anonymous", { key: `${key}` });
      expect(text).toContain(`word of ${spaceId}`);
    }
  });

  test("a key of a deleted one is refused by every route, with what to do", async () => {
    const personId = await world.ownerIdOf("member");
    const spaceId = asSpace("p-00000000-0000-4000-8000-00000000000c");
    await services().projects.make({ personId, spaceId }, "Cocoa");
    const key = await keyOf({ personId, spaceId });
    await services().projects.delete(spaceId);
    for (const name of named("key")) {
      const { status, text } = await world.ask(name, "anonymous", { key });
      expect([name, status, text.includes("Restore it in Settings")]).toEqual([name, 401, true]);
    }
  });

  test("nobody finds anything once it is deleted, until it is restored", {
    tags: "long",
  }, async () => {
    world.ids.spaceId = space;
    expect((await world.ask("DELETE /api/projects/:spaceId", "owner")).status).toBe(404);
    expect((await world.ask("DELETE /api/projects/:spaceId", "member")).status).toBe(200);
    await askAll(inApi(), "member");
    expect((await world.ask("POST /api/projects/:spaceId/restore", "member")).status).toBe(200);
    expect((await world.ask("GET /api/sessions", "member", { space })).status).toBe(200);
  });
});

describe("with a tenth of the requests cancelled", () => {
  test.each(["member", "admin"] as const)(
    "%s sees nothing of another, and changes nothing there",
    async (subject) => {
      const ownerId = await world.ownerIdOf("owner");
      const before = await ownerRows(world.database.sql, ownerId);
      const asked = named("person", "administrator", "page", "key").filter(
        (name) => !ofOneself.test(name),
      );
      const rounds = Number(process.env.GROVE_TEST_DEPTH ?? 1) * 2;
      const crossings: string[] = [];
      let requests = 0;
      for (let round = 0; round < rounds; round++) {
        const answers = asked.map(async (name) => {
          requests++;
          const isCancelled = Math.random() < 0.1;
          const { text } = await world.ask(name, subject, { isCancelled, key: world.keys.member });
          if (text.replaceAll(`q=${canary}`, "").includes(canary)) crossings.push(name);
        });
        await Promise.all(answers);
      }
      expect(crossings).toEqual([]);
      expect(requests).toBeGreaterThan(150 * rounds);
      expect(await ownerRows(world.database.sql, ownerId)).toEqual(before);
      expect((await world.ask("GET /api/sessions", "owner")).text).toContain(canary);
      const key = world.keys.owner;
      const item = "GET /v1/conversations/:conversationId/items/:itemId";
      expect((await world.ask(item, "anonymous", { key })).text).toContain(canary);
    },
    120_000,
  );
});
