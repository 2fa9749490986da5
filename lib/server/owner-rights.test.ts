import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { asPerson, localPersonId } from "@/lib/chat/core/person-in-space";
import { ConfiguredServer } from "@/lib/chat/mcp-client/configured-servers";
import { guardedFetch } from "@/lib/chat/mcp-client/guarded-fetch";
import { searchSearxng } from "@/lib/chat/web/search-searxng";
import { type FakeWeb, fakeWeb } from "@/lib/chat/web/testing/fake-web";
import { demoSource } from "@/lib/demo/demo-model";
import { createModelRegistry } from "@/lib/llm";
import { modelFetch, ownerFetch, ownerRights, type RightsOf } from "./owner-rights";

const command = { command: "false", args: [], env: {} };
const program = new ConfiguredServer({ name: "Local", prefix: "local", command }, () => undefined);
const limits = { GROVE_MODEL_FIRST_BYTE_SECONDS: "9", GROVE_UNPRICED_INPUT_DOLLARS: "5" };
const environment = { OPENAI_API_KEY: "sk-operator", ...limits };
const bob = asPerson("bob");
const operator = { environment, toolServers: [program] };

const accountsWith = (members: readonly string[], usesEnvironment: boolean) => ({
  rightsOf: async (personId: string) => {
    const administers = !members.includes(personId);
    return {
      administers,
      usesEnvironment: administers || usesEnvironment,
      isRemoved: false,
    };
  },
});

describe("what an owner may use of the operator's", () => {
  const without = {
    environment: { GROVE_DISCOVER_LOCAL: "0", ...limits },
    toolServers: [],
    reachesPrivate: false,
    isRemoved: false,
  };

  test("is everything without accounts, and for administrators", async () => {
    const all = { ...operator, reachesPrivate: true, isRemoved: false };
    expect(await ownerRights(null, async () => operator)(localPersonId)).toEqual(all);
    expect(
      await ownerRights(accountsWith(["bob"], false), async () => operator)(asPerson("ada")),
    ).toEqual(all);
  });

  test("is neither keys nor programs for a member", async () => {
    const rightsOf = ownerRights(accountsWith(["bob"], false), async () => operator);
    expect(await rightsOf(bob)).toEqual(without);
  });

  test("is keys and programs for a member once everyone may use them, never the network", async () => {
    const rightsOf = ownerRights(accountsWith(["bob"], true), async () => operator);
    expect(await rightsOf(bob)).toEqual({ ...operator, reachesPrivate: false, isRemoved: false });
  });
});

describe("the address that a member entered, once it is private", () => {
  let web: FakeWeb;
  let role: "member" | "admin" | "unknown";
  const rightsOf: RightsOf = async () => {
    if (role === "unknown") throw new Error("The database is away.");
    return { ...operator, reachesPrivate: role === "admin", isRemoved: false };
  };
  const fetchOfBob = () => ownerFetch(rightsOf, web.network)(bob);

  beforeEach(async () => {
    role = "member";
    web = await fakeWeb(
      (_, response) =>
        response.setHeader("content-type", "application/json").end('{"results":[],"data":[]}'),
      { "mine.example": [["93.184.215.14"], ["192.168.1.1"]] },
    );
  });
  afterEach(() => web.close());

  test("is not asked as a search server", async () => {
    const fetch = fetchOfBob();
    expect(await searchSearxng("http://mine.example", "tea", { fetch })).toEqual([]);
    await expect(searchSearxng("http://mine.example", "tea", { fetch })).rejects.toThrow(
      "not on the public internet",
    );
    expect(web.dialled).toHaveLength(1);
  });

  test("is not asked as a tool server", async () => {
    const fetch = guardedFetch("http://mine.example/mcp", fetchOfBob());
    expect((await fetch("http://mine.example/mcp", { method: "POST", body: "{}" })).ok).toBe(true);
    await expect(fetch("http://mine.example/mcp")).rejects.toThrow("not on the public internet");
    expect(web.dialled).toHaveLength(1);
  });

  test("is not asked as a provider, and says so", async () => {
    let now = 0;
    const registry = createModelRegistry({
      environment: { GROVE_DISCOVER_LOCAL: "0" },
      settings: {
        providers: [{ provider: "compatible", name: "Mine", baseUrl: "http://mine.example/v1" }],
        overrides: {},
      },
      fallback: demoSource({}),
      ownFetch: modelFetch(fetchOfBob()),
      now: () => now,
    });
    await registry.listModels();
    expect(registry.problems()).toEqual([]);
    now += 60 * 60 * 1_000;
    await registry.listModels();
    expect(registry.problems()[0]?.message).toContain(
      "mine.example is not on the public internet, so it was not asked.",
    );
    expect(web.dialled).toHaveLength(1);
  });

  test("is asked for an administrator, and not while nobody knows the role", async () => {
    role = "unknown";
    const fetch = fetchOfBob();
    await expect(fetch("http://127.0.0.1:1/")).rejects.toThrow("not on the public internet");
    role = "admin";
    expect((await fetch(web.origin)).ok).toBe(true);
  });
});
