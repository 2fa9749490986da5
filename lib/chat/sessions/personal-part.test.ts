import { parseQuery, SessionEvents } from "grove-session";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { receiptOf } from "@/lib/chat/answering/answer-receipt";
import { contextView } from "@/lib/chat/answering/context-view";
import { asPerson, asSpace, inOwnSpace, type SpaceId } from "@/lib/chat/core/person-in-space";
import { blockViews, writeBlock } from "@/lib/chat/testing/memory-by-label";
import { manualChat } from "@/lib/chat/testing/run-fixture";
import { identifier } from "@/lib/postgres/connections/sql";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import type { OwnerServices } from "@/lib/server/owner-services";
import { ownerServices } from "@/lib/server/owner-services";
import { makeOwners } from "@/lib/server/owners";
import { removeOldParts } from "@/lib/storage/spaces/personal-parts";

const canary = "pelican";
let database: TestDatabase;
let own: OwnerServices;
let unasked: OwnerServices;
let project: OwnerServices;
let spaceId: SpaceId;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

beforeEach(async () => {
  const { sql } = database;
  const owners = makeOwners((who) =>
    ownerServices({ sql, chunkSql: sql, ...who, events: new SessionEvents(who.spaceId) }),
  );
  const personId = asPerson(crypto.randomUUID());
  spaceId = asSpace(`p-${crypto.randomUUID()}`);
  own = owners.acting(inOwnSpace(personId));
  unasked = owners.acting({ personId, spaceId });
  project = { ...unasked, personal: unasked.personal && { ...unasked.personal, isOn: true } };
  await remember(own, `Likes the ${canary}`);
  await remember(project, "Ships on Friday");
});

async function remember(owner: OwnerServices, content: string): Promise<void> {
  await writeBlock(owner, { label: "memory", sessionId: null, content });
}

function chatIn(owner: OwnerServices) {
  const { model, conversation } = manualChat(database.sql, { owner });
  const ask = async (text: string) => {
    const turn = model.turn(model.calls.length).say("Answered");
    turn.finish();
    const answer = await conversation.ask(text);
    return { answer, system: JSON.stringify(model.calls.at(-1)?.prompt[0]) };
  };
  const resolved = conversation.answering.chooseModel(null);
  const view = async () =>
    contextView(owner, { sessionId: conversation.sessionId, resolved: await resolved });
  return { ask, view, conversation };
}

/** The tables with rows of the space that hold the word. */
async function tablesWith(word: string): Promise<string[]> {
  const { sql } = database;
  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'owner_id'`;
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await sql`
      select from ${identifier(name)} each
      where owner_id = ${spaceId} and to_jsonb(each)::text like ${`%${word}%`}`;
    if (rows.length > 0) found.push(name);
  }
  return found.sort();
}

describe("in a project", () => {
  test("the model reads the person's memory below the project's, and no row of it holds the person's", {
    tags: "long",
  }, async () => {
    const { ask, view, conversation } = chatIn(project);
    const { answer, system } = await ask("Hello");
    const order = ["Ships on Friday", "the ones above win", "PERSONAL-MEMORY [readonly]", canary];
    const places = order.map((words) => system.indexOf(words));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places).not.toContain(-1);
    expect(await tablesWith("Ships on Friday")).toContain("chat_run");
    expect(await tablesWith(canary)).toEqual([]);
    const receipt = await receiptOf(project, conversation.sessionId, answer.id);
    expect([receipt?.prompt.includes(canary), receipt?.personal?.includes(canary)]).toEqual([
      false,
      true,
    ]);
    const { prompt, personal, gauge } = await view();
    expect([prompt.includes(canary), personal?.prompt.includes(canary)]).toEqual([false, true]);
    const from = new Map(gauge.parts.map((part) => [part.label, part.from]));
    expect([from.get("memory"), from.get("personal-memory")]).toEqual(["project", "you"]);
  });

  test("a personal chat reads nothing of it", { tags: "long" }, async () => {
    const { ask, view } = chatIn(own);
    const { system } = await ask("Hello");
    expect([system.includes(canary), system.includes("Friday")]).toEqual([true, false]);
    expect(await view()).not.toHaveProperty("personal");
  });

  test("the person's part stays as it was sent, and Context shows what changed, until it is renewed", async () => {
    const { ask, view, conversation } = chatIn(project);
    const before = await ask("Hello");
    await remember(own, "Likes the heron");
    const { system } = await ask("Again");
    expect([system.includes(canary), system.includes("heron")]).toEqual([true, false]);
    expect((await view()).personal?.changes).toEqual([
      {
        label: "personal-memory",
        kind: "changed",
        before: `Likes the ${canary}`,
        after: "Likes the heron",
      },
    ]);
    await database.sql`
      update chat_session set updated_at = now() - interval '1 hour' where owner_id = ${spaceId}`;
    const renewed = await ask("Later");
    expect([renewed.system.includes(canary), renewed.system.includes("heron")]).toEqual([
      false,
      true,
    ]);
    const receipt = await receiptOf(project, conversation.sessionId, before.answer.id);
    expect(receipt?.personal).toContain(canary);
  });

  test("the person's part is left out unless it is on", async () => {
    const { ask, view } = chatIn(unasked);
    expect((await ask("Hello")).system).not.toContain(canary);
    expect((await view()).personal).toBeNull();
  });

  test("each space lists and finds its own memory alone, under the same labels", async () => {
    const contents = async (owner: OwnerServices) =>
      (await blockViews(owner, null)).flatMap((block) => (block.label === "memory" ? block : []));
    expect(await contents(own)).toMatchObject([{ content: `Likes the ${canary}` }]);
    expect(await contents(project)).toMatchObject([{ content: "Ships on Friday" }]);
    const found = async (owner: OwnerServices, word: string) =>
      (await owner.findDocuments(parseQuery(word), { limit: 10 })).length;
    expect([await found(project, canary), await found(project, "Friday")]).toEqual([0, 1]);
    expect([await found(own, canary), await found(own, "Friday")]).toEqual([1, 0]);
  });

  test("parts of chats that are gone for good are removed", async () => {
    const { ask } = chatIn(project);
    await ask("Hello");
    const parts = () => database.sql`select from chat_personal_prompt where space_id = ${spaceId}`;
    await database.sql`update chat_personal_prompt set made_at = now() - interval '2 days'`;
    await removeOldParts(database.sql, { most: 100 });
    expect(await parts()).toHaveLength(1);
    await project.data.deleteOwner();
    await removeOldParts(database.sql, { most: 100 });
    expect(await parts()).toEqual([]);
  });
});
