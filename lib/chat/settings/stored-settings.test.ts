import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newOwner } from "@/lib/chat/testing/chat-fixture";
import { changeSettingsRequest, writeProviderRequest } from "@/lib/chat/wire/settings";
import { demoSource } from "@/lib/demo/demo-model";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import type { OwnerServices } from "@/lib/server/owner-services";
import { SecretBox } from "@/lib/server/secret-box";
import { overrides } from "./model-overrides";
import { Models } from "./models";
import { saveProvider } from "./providers";
import { modelsView, settingsView } from "./settings-view";

let database: TestDatabase;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "grove-stored-"));
  database = await createTestDatabase();
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

const sealer = () => new SecretBox(join(folder, "secrets.key"));
const installation = { environment: {}, version: "1", dataLocation: "/data", drainMs: 0 };
const runs = 20 * Number(process.env.GROVE_TEST_DEPTH ?? 1);

/** A new registry, as after a restart. No provider is asked: they listen nowhere. */
function models(): Models {
  return new Models({ environment: async () => ({}), sealer: sealer(), fallback: demoSource({}) });
}

async function problemsOf(owner: OwnerServices): Promise<string[]> {
  const registry = await models().registry(owner);
  return registry.problems().map(({ message }) => message);
}

const host = fc.constantFrom(
  "127.0.0.1:9",
  "[::1]:9",
  "localhost:9",
  "xn--bcher-kva.example",
  "a_b.example",
);
const address = fc.oneof(
  fc
    .tuple(fc.constantFrom("http", "https", "HTTP", "ftp", "file"), host, fc.webPath())
    .map(([scheme, at, path]) => `${scheme}://${at}${path}`),
  fc
    .tuple(
      host,
      fc.constantFrom("?key=1", "#part", "/v1/?", "//", "/%zz", "/ ", "\n", "/v1/..", "/ü"),
    )
    .map(([at, end]) => `https://${at}${end}`),
  fc.constantFrom(
    "https://user:pass@host.example/",
    "https://:p@host.example",
    "http://",
    "https://[",
    "https://a b.example",
    "https://host.example:99999",
  ),
  fc.string(),
);
const key = fc.oneof(
  fc.string({ minLength: 1 }),
  fc.constantFrom("sk-1 2", "sk-1\n", " sk-1 ", "sk-\u00e9", "sk-1\r\nX-Evil: 1", "k".repeat(501)),
);
const name = fc.oneof(
  fc.string({ minLength: 1 }),
  fc.constantFrom("OpenAI", "  ", "a".repeat(51), "Ünï 🌳", "\u0000"),
);
const request = fc.record({
  provider: fc.constantFrom("openai", "anthropic", "google", "compatible", "other"),
  name,
  baseUrl: fc.oneof(address, fc.constant(null)),
  apiKey: fc.oneof(key, fc.constant(null)),
});

describe("a provider that the settings accept", () => {
  test("is one that the registry accepts, whatever its address, key and name", {
    tags: "long",
  }, async () => {
    await fc.assert(
      fc.asyncProperty(request, async (body) => {
        const parsed = writeProviderRequest.safeParse(body);
        if (!parsed.success) return;
        const owner = newOwner(database.sql);
        const { baseUrl = null, ...rest } = parsed.data;
        const write = { id: "mine", ...rest, baseUrl, apiKey: rest.apiKey };
        const isSaved = await saveProvider(owner, sealer(), write).then(
          () => true,
          () => false,
        );
        if (isSaved) expect(await problemsOf(owner)).toEqual([]);
      }),
      { numRuns: runs * 3 },
    );
  });
});

describe("facts about a model that the settings accept", () => {
  test("are ones that the registry accepts", async () => {
    const amount = fc.oneof(fc.constant(null), fc.double(), fc.integer(), fc.constant(1e308));
    const override = fc.record({
      contextWindow: amount,
      inputPerMillion: amount,
      outputPerMillion: amount,
    });
    const found = fc.dictionary(fc.string({ minLength: 1 }), override, { maxKeys: 5 });
    await fc.assert(
      fc.asyncProperty(found, async (modelOverrides) => {
        const parsed = changeSettingsRequest.safeParse({ modelOverrides });
        if (!parsed.success) return;
        const owner = newOwner(database.sql);
        await owner.settings.change(overrides.changes(parsed.data.modelOverrides ?? {}));
        expect(await problemsOf(owner)).toEqual([]);
      }),
      { numRuns: runs },
    );
  });
});

describe("stored rows of any shape", () => {
  test("leave every other provider and every setting usable, and are listed", {
    tags: "long",
  }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.jsonValue(),
        fc.jsonValue(),
        fc.jsonValue(),
        async (row, settings, nested) => {
          const owner = newOwner(database.sql);
          const good = {
            id: "good",
            provider: "compatible",
            name: "Good",
            baseUrl: "http://127.0.0.1:9/v1",
          } as const;
          await saveProvider(owner, sealer(), { ...good, apiKey: "sk-good" });
          const { sql } = database;
          const near = JSON.stringify({
            ...(typeof settings === "object" && !Array.isArray(settings) ? settings : {}),
            modelOverrides: nested,
            presets: nested,
            toolPolicies: nested,
            "override:x": nested,
            "preset:x": nested,
            "tool:x": nested,
            "favorite x": nested,
            defaultModel: nested,
            memoryMode: nested,
          });
          await sql`insert into chat_secret (owner_id, name, description, sealed)
          values (${owner.spaceId}, 'bad', ${JSON.stringify(row)}::text::jsonb, 'v9.broken')`;
          await sql`insert into chat_owner (owner_id, settings) values (${owner.spaceId}, ${near}::text::jsonb)
          on conflict (owner_id) do update set settings = excluded.settings`;
          const view = await settingsView(installation, owner);
          expect(view.providers.map(({ id }) => id).sort()).toEqual(["bad", "good"]);
          expect(view.memoryMode).toMatch(/^(on|ask|off)$/);
          const { problems, defaultModel } = await modelsView(models(), owner);
          expect(problems.map(({ label }) => label)).toContain("Good");
          expect(problems.some(({ message }) => message.includes("cannot be used"))).toBe(true);
          expect(defaultModel).not.toBe("");
        },
      ),
      { numRuns: runs },
    );
  });

  test("of settings that are no object count as none", async () => {
    for (const settings of ["[]", "null", "1", '"text"']) {
      const owner = newOwner(database.sql);
      await database.sql`insert into chat_owner (owner_id, settings)
        values (${owner.spaceId}, ${settings}::text::jsonb)`;
      expect(await settingsView(installation, owner)).toMatchObject({ memoryMode: "on" });
      await owner.settings.change({ memoryMode: "ask" });
      expect(await settingsView(installation, owner)).toMatchObject({ memoryMode: "ask" });
    }
  });
});
