import { createHash } from "node:crypto";
import { APIError } from "openai";
import { beforeAll, describe, expect, test } from "vitest";
import { asSpace, localPersonId, type SpaceId } from "@/lib/chat/core/person-in-space";
import { Memory } from "@/lib/chat/memory/memory";
import type { KeyScopes } from "@/lib/chat/wire/keys";
import { identifier } from "@/lib/postgres/connections/sql";
import type { OwnerServices } from "@/lib/server/owner-services";
import { services } from "@/lib/server/services";
import { clientWith, serveV1 } from "./testing/v1-server";

const { client, database, keyWith, models, owner } = serveV1();
const model = "compatible:fake/echo";
const text = `data:text/plain;base64,${Buffer.from("Oaks grow slowly.").toString("base64")}`;

const inProject = (spaceId: SpaceId) => services().acting({ personId: localPersonId, spaceId });
let tea: SpaceId;

async function project(name: string): Promise<SpaceId> {
  const spaceId = asSpace(`p-${crypto.randomUUID()}`);
  await services().ready();
  await services().projects.make({ personId: localPersonId, spaceId }, name);
  return spaceId;
}

async function keyFor(space: SpaceId, scopes: Partial<KeyScopes> = {}) {
  const { key, secret } = await keyWith({ space, ...scopes });
  return { key, openai: clientWith(secret) };
}

async function remember(place: OwnerServices, content: string): Promise<void> {
  const memory = new Memory(place, null);
  const block = (await memory.list()).find(({ label }) => label === "memory");
  await memory.write(block?.id ?? "", { content });
}

/** The rows of a place and of what is not kept there, by table. */
async function rowsOf(place: string): Promise<Record<string, number>> {
  const { sql } = database();
  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'owner_id' and table_name ~ '^chat_(session|message|run|file|stream)$'`;
  const counted: Record<string, number> = {};
  for (const { name } of tables) {
    const rows = await sql`
      select from ${identifier(name)} where split_part(owner_id, chr(31), 1) = ${place}`;
    counted[name] = rows.length;
  }
  return counted;
}

beforeAll(async () => {
  tea = await project("Tea");
});

describe("a key of a project", () => {
  test("keeps chats, conversations and files there, and leaves nothing elsewhere", async () => {
    const [oaks, before] = [await project("Oaks"), await rowsOf(localPersonId)];
    const { key, openai } = await keyFor(oaks, { keeps: "chats" });
    const content = [
      { type: "input_text", text: "What is this?" },
      { type: "input_file", filename: "oaks.txt", file_data: text },
    ] as const;
    const input = [{ role: "user" as const, content: [...content] }];
    const made = await openai.responses.create({ model, input });
    const went = await openai.responses.create({
      ...{ model, input: "And now?", previous_response_id: made.id },
    });
    const items = [{ type: "message", role: "user", content: "Hello" }] as const;
    const conversation = await openai.conversations.create({ items: [...items] });
    const { data } = await openai.conversations.items.list(conversation.id);
    expect([went.output_text, data.length]).toEqual(["You said: And now?", 1]);
    await openai.chat.completions.create({
      ...{ model, messages: [{ role: "user", content: "Leaves?" }] },
    });
    const { store, programs } = inProject(oaks);
    const { sessions } = await store.sessions.list({ limit: 10 });
    expect(sessions).toHaveLength(3);
    expect(await programs()).toEqual([{ id: key.id, name: "Tests", chats: 3 }]);
    expect((await owner().programs()).map(({ id }) => id)).not.toContain(key.id);
    expect(await rowsOf(localPersonId)).toEqual(before);
    expect((await rowsOf(oaks)).chat_file).toBe(1);
  });

  test("that asks to store nothing leaves nothing in any place but the usage", async () => {
    // A project of its own: what others asked of Tea may still be going.
    const oblivion = await project("Oblivion");
    const { key, openai } = await keyFor(oblivion, { keeps: "asked" });
    const before = [await rowsOf(localPersonId), await rowsOf(oblivion)];
    models().answer = "Forgotten";
    const made = await openai.responses.create({ model, input: "Forget it", store: false });
    expect(made.output_text).toBe("Forgotten");
    const now = async () => [await rowsOf(localPersonId), await rowsOf(oblivion)];
    await expect.poll(now, { timeout: 10_000 }).toEqual(before);
    const rows = await database().sql`
      select owner_id, space_id from chat_usage where key_id = ${key.id} and reserved_until is null order by space_id`;
    expect(rows).toEqual([
      { owner_id: localPersonId, space_id: oblivion },
      { owner_id: oblivion, space_id: null },
    ]);
  });

  test("finds no response, conversation, item or file of another place", {
    tags: "long",
  }, async () => {
    const own = await client({ keeps: "chats" });
    const file = { type: "input_file", filename: "oaks.txt", file_data: text } as const;
    const made = await own.responses.create({
      model,
      input: [{ role: "user", content: [file] }],
    });
    const { data } = await own.responses.inputItems.list(made.id);
    const [first] = JSON.stringify(data).match(/file-[0-9a-f]{64}/) ?? [];
    const conversation = await own.conversations.create({
      items: [{ type: "message", role: "user", content: "Hello" }],
    });
    const { openai } = await keyFor(await project("Coffee"), { keeps: "asked" });
    const asked = { model, input: "And?" };
    const fileOf = { type: "input_file" as const, file_id: first ?? "" };
    const input = [{ role: "user" as const, content: [fileOf] }];
    for (const [ask, status] of [
      [() => openai.responses.retrieve(made.id), 404],
      [() => openai.responses.delete(made.id), 404],
      [() => openai.responses.inputItems.list(made.id), 404],
      [() => openai.responses.create({ ...asked, previous_response_id: made.id }), 400],
      [() => openai.responses.create({ ...asked, conversation: conversation.id }), 404],
      [() => openai.responses.create({ model, input: [{ id: data[0]?.id ?? "" }] as never }), 404],
      [() => openai.responses.create({ model, input }), 404],
      [() => openai.responses.create({ model, input, store: false }), 404],
      [() => openai.conversations.retrieve(conversation.id), 404],
      [() => openai.conversations.items.list(conversation.id), 404],
    ] as const)
      await expect(ask()).rejects.toMatchObject({ status });
  });

  test("that uses memory has the project's alone, whatever is kept", async () => {
    for (const [place, words] of [
      [owner(), "Pelicans"],
      [inProject(tea), "Kettles"],
    ] as const)
      await remember(place, words);
    const { openai } = await keyFor(tea, { usesMemory: true, keeps: "asked" });
    for (const store of [true, false]) {
      await openai.responses.create({ model, input: `Hello ${store}`, store });
      const sent = JSON.stringify(models().requests.at(-1)?.messages);
      expect(sent).toContain("Kettles");
      expect(sent).not.toContain("Pelicans");
    }
  });

  test("is over its limit by what it spent in the project", async () => {
    const { key, openai } = await keyFor(tea, { monthlyLimit: 0.5 });
    await inProject(tea).usage.record({
      ...{ id: "answer x", kind: "answer", sessionId: "", model, keyId: key.id },
      ...{ inputTokens: 1, cachedTokens: 0, outputTokens: 1, cost: 0.5, isReported: true },
    });
    const refused = openai.responses.create({ model, input: "Hello" });
    await expect(refused).rejects.toMatchObject({ status: 429, code: "insufficient_quota" });
    expect((await owner().keys.get(key.id))?.monthCost).toBe(0.5);
  });

  test("is refused while its project is deleted, with what to do, and serves again once restored", async () => {
    const gone = await project("Gone");
    const { openai } = await keyFor(gone);
    await openai.responses.create({ model, input: "Hello" });
    await services().projects.delete(gone);
    const refusal = await openai.models.list().catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(APIError);
    expect(refusal).toMatchObject({ status: 401, code: "invalid_api_key" });
    expect(String(refusal)).toContain("Restore it in Settings, Recently deleted");
    await services().projects.restore(gone);
    expect((await openai.models.list()).data.length).toBeGreaterThan(0);
  });
});

test("a process that knows no places does not find a key of one", async () => {
  const stored = async (space: SpaceId | null) => {
    const { secret } = await keyWith({ space });
    const hash = createHash("sha256").update(secret).digest("base64url");
    return (await database().sql`select from chat_key where hash = ${hash}`).length;
  };
  expect(await Promise.all([stored(null), stored(tea)])).toEqual([1, 0]);
});

test("a key of the person's own place finds nothing of a project", async () => {
  const { openai } = await keyFor(tea);
  const { id } = await openai.responses.create({ model, input: "Only there", store: true });
  const own = await client();
  await expect(own.responses.retrieve(id)).rejects.toMatchObject({ status: 404 });
});
