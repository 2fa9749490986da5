import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { assistant, user } from "../../session/testing";
import { PostgresSessionStore } from "../postgres-session-store";
import { createTestDatabase, type TestDatabase } from "../testing/test-database";
import { learnWords } from "./correct-query";

let database: TestDatabase;
let store: PostgresSessionStore;

beforeAll(async () => {
  database = await createTestDatabase();
  store = new PostgresSessionStore(database.sql, crypto.randomUUID());
  await store.sessions.create("Garden", { id: "garden", tags: ["green"] });
  await store.sessions.create("Kitchen", { id: "kitchen" });
  const garden = store.messages("garden");
  await garden.appendMessage(user("g1", "When do I plant tomatoes?"));
  await garden.appendMessage(assistant("g2", "Plant tomatoes in May, under glass."));
  await garden.appendMessage(user("g3", "And cucumbers?"));
  await garden.appendMessage(user("g3b", "And aubergines near tomatoes?"), "g2");
  await garden.addCompaction("We spoke of tomatoes and frost.", "g1", "g2");
  const kitchen = store.messages("kitchen");
  await kitchen.appendMessage(user("k1", "A sauce of tomatoes, please"));
  await kitchen.appendMessage(user("k2", "Grüße aus der Küche"));
  await store.sessions.fork("garden", "g2", "Copy", { id: "copy" });
});
afterAll(() => database.drop());

const found = async (query: string, options = {}) => {
  const hits = await store.sessions.search(query, { limit: 50, ...options });
  return hits.map(({ sessionId, id, place }) => `${sessionId} ${id} ${place}`).sort();
};

describe("searching everything", () => {
  test("says where each hit lies", async () => {
    const hits = await found("tomatoes");
    expect(hits.filter((hit) => !hit.endsWith("summary")).sort()).toEqual([
      "garden g3b active",
      "kitchen k1 active",
    ]);
    expect(hits).toContain("garden g1 under-summary");
    expect(hits).toContain("garden g2 under-summary");
    expect(hits.filter((hit) => hit.endsWith(" summary"))).toHaveLength(1);
    expect(await found("cucumbers")).toEqual(["garden g3 branch"]);
  });

  test("forgives typing errors and says what it took the words for", async () => {
    const hits = await store.sessions.search("tomatos saice", { forgiving: true });
    expect(hits.map(({ id, corrected }) => [id, corrected])).toEqual([
      ["k1", expect.stringContaining("sauce")],
    ]);
    expect(await store.sessions.search("saice")).toEqual([]);
    expect(await store.sessions.search("xylophone", { forgiving: true })).toEqual([]);
  });

  test("keeps sessions apart and in order whose messages were written at one time", async () => {
    const owner = crypto.randomUUID();
    const other = new PostgresSessionStore(database.sql, owner);
    const sessions = ["s1", "s2", "s3"];
    for (const id of sessions) await other.sessions.create(id, { id });
    for (const n of [1, 2, 3])
      for (const id of sessions) await other.messages(id).appendMessage(user(`${id}m${n}`, "tea"));
    await database.sql`update chat_search set seq = 1 where owner_id = ${owner}`;
    const matches = await other.sessions.searchSessions("tea");
    expect(matches.map(({ hits }) => hits.map(({ id }) => id))).toEqual(
      matches.map(({ hits: [best] }) => [3, 2, 1].map((n) => `${best?.sessionId}m${n}`)),
    );
    expect(matches).toHaveLength(3);
    const best = await other.sessions.search("tea");
    for (const limit of [1, 4, 8])
      expect(await other.sessions.search("tea", { limit })).toEqual(best.slice(0, limit));
  });

  test("takes a misspelt word for one that was written, and finds its other forms", async () => {
    const owner = crypto.randomUUID();
    const other = new PostgresSessionStore(database.sql, owner);
    await other.sessions.create("Flat", { id: "flat" });
    await other.messages("flat").appendMessage(user("one", "Die Wohnung ist sehr teuer"));
    await other.messages("flat").appendMessage(user("many", "Die Wohnungen sind sehr teuer"));
    const hits = await other.sessions.search("wohnumgen ", { forgiving: true });
    expect(hits.map(({ id }) => id).toSorted()).toEqual(["many", "one"]);
    const words = await database.sql<{ word: string }[]>`
      select word from chat_word where owner_id = ${owner} order by word`;
    expect(words.map(({ word }) => word)).toContain("wohnungen");
    expect(words.filter(({ word }) => word.includes(":"))).toEqual([]);
  });

  test("learns a vocabulary a few texts at a time, until nothing is new", async () => {
    const ownerId = crypto.randomUUID();
    const other = new PostgresSessionStore(database.sql, ownerId);
    expect(await learnWords(database.sql, { ownerId, most: 2 })).toBe(true);
    await other.sessions.create("Trees", { id: "trees" });
    for (const name of ["linden", "willow", "poplar"])
      await other.messages("trees").appendMessage(user(name, name));
    expect(await learnWords(database.sql, { ownerId, most: 2 })).toBe(false);
    const known = async () => {
      const words = await database.sql<{ word: string }[]>`
        select word from chat_word where owner_id = ${ownerId} order by word`;
      return words.map(({ word }) => word);
    };
    expect(await known()).toEqual(expect.arrayContaining(["linden", "willow"]));
    expect(await known()).not.toContain("poplar");
    expect(await learnWords(database.sql, { ownerId, most: 2 })).toBe(true);
    expect(await known()).toContain("poplar");
    expect(await learnWords(database.sql, { ownerId, most: 2 })).toBe(true);
  });

  test("narrows by role, tag and session", async () => {
    expect(await found("tomatoes", { role: "assistant" })).toEqual(["garden g2 under-summary"]);
    expect(await found("tomatoes", { tag: "green", role: "user" })).toEqual([
      "garden g1 under-summary",
      "garden g3b active",
    ]);
    expect(await found("tomatoes", { before: new Date(0) })).toEqual([]);
    expect(await found("tomatoes", { after: new Date(Date.now() + 60_000) })).toEqual([]);
  });

  test("finds words without their accents", async () => {
    expect(await found("grusse kuche")).toEqual(["kitchen k2 active"]);
  });

  test("never fails, whatever is typed", async () => {
    const odd = [
      "",
      " ",
      "'",
      "a & | ! <-> b",
      ":*",
      "\\",
      "\u0000",
      "\ud800",
      "((",
      '"open',
      "%_",
      "-",
      "- -",
    ];
    for (const query of odd) {
      expect(Array.isArray(await store.sessions.search(query, { forgiving: true }))).toBe(true);
      expect(Array.isArray(await store.sessions.searchTitles(query, 5))).toBe(true);
    }
  });
});

describe("searching a fork", () => {
  test("finds what it borrows, and nothing that came after in its source", async () => {
    const messages = store.messages("copy");
    const find = async (query: string) =>
      (await messages.searchMessages(query)).map(({ id, sessionId }) => [id, sessionId]).sort();
    expect(await find("tomatoes")).toEqual([
      ["g1", "copy"],
      ["g2", "copy"],
    ]);
    expect(await find("cucumbers OR aubergines")).toEqual([]);
    await messages.appendMessage(user("c1", "Lettuce"));
    expect(await find("lettuce")).toEqual([["c1", "copy"]]);
    expect(await store.messages("garden").searchMessages("lettuce")).toEqual([]);
  });

  test("goes on finding what a fork borrows from a session that was deleted, under the fork", async () => {
    const owner = new PostgresSessionStore(database.sql, crypto.randomUUID());
    await owner.sessions.create("Source", { id: "source" });
    const source = owner.messages("source");
    await source.appendMessage(user("s1", "Marmalade at dawn"));
    await source.appendMessage(user("s2", "Marmalade at dusk"));
    await owner.sessions.fork("source", "s1", "Middle", { id: "middle" });
    await owner.messages("middle").appendMessage(user("m1", "Marmalade at noon"));
    await owner.sessions.fork("middle", "m1", "Last", { id: "last" });
    const find = async () =>
      (await owner.sessions.search("marmalade"))
        .map(({ id, sessionId, sessionTitle, place }) => [id, sessionId, sessionTitle, place])
        .sort();

    await owner.sessions.delete("source");
    expect(await find()).toEqual([
      ["m1", "middle", "Middle", "active"],
      ["s1", "middle", "Middle", "active"],
    ]);
    await owner.sessions.delete("middle");
    expect(await find()).toEqual([
      ["m1", "last", "Last", "active"],
      ["s1", "last", "Last", "active"],
    ]);
    await owner.sessions.delete("last");
    expect(await find()).toEqual([]);
  });
});

describe("searching a session of 5,000 messages", () => {
  const wordsOf = (n: number) =>
    [
      "daily",
      n % 5 === 0 && "fifth",
      n % 30 === 0 && "thirtieth",
      n % 500 === 0 && "rare",
      n === 3 && "early",
    ]
      .filter(Boolean)
      .join(" ");
  const total = 5_000;
  const newest = (word: string, upTo: number) =>
    Array.from({ length: upTo }, (_, index) => upTo - index)
      .filter((n) => wordsOf(n).split(" ").includes(word))
      .map((n) => `m${n}`)
      .slice(0, 100);
  let long: PostgresSessionStore;

  beforeAll(async () => {
    long = new PostgresSessionStore(database.sql, crypto.randomUUID());
    await long.sessions.create("Long", { id: "long" });
    const numbers = Array.from({ length: total }, (_, index) => index + 1);
    await long.messages("long").appendMessages(numbers.map((n) => user(`m${n}`, wordsOf(n))));
    await long.sessions.fork("long", "m4500", "Fork", { id: "fork" });
  });

  const find = async (session: string, word: string, options = {}) =>
    (await long.messages(session).searchMessages(`${word} `, { limit: 100, ...options })).map(
      ({ id }) => id,
    );

  test.each(["daily", "fifth", "thirtieth", "rare", "early"])(
    "finds the newest with '%s', in it and in a fork",
    async (word) => {
      expect(await find("long", word)).toEqual(newest(word, total));
      expect(await find("fork", word)).toEqual(newest(word, 4_500));
    },
  );

  test("finds old ones by date and role", async () => {
    expect(await find("long", "early", { role: "user" })).toEqual(["m3"]);
    expect(await find("long", "early", { role: "assistant" })).toEqual([]);
    expect(await find("long", "daily", { after: new Date(Date.now() + 60_000) })).toEqual([]);
  });

  test("finds old summaries and edits, and no deleted message, each in its own session", {
    tags: "long",
  }, async () => {
    await long.sessions.fork("long", "m5000", "Changed", { id: "changed" });
    const messages = long.messages("changed");
    await messages.addCompaction("A singular summary", "m10", "m20");
    await messages.updateMessage(user("m30", "A singular edit"));
    await messages.deleteMessages(["m3"]);
    expect((await find("changed", "singular")).toSorted()).toEqual(["m20", "m30"]);
    expect(await find("changed", "early")).toEqual([]);
    expect(await find("changed", "fifth")).toEqual(newest("fifth", total));
    expect(await find("fork", "singular")).toEqual([]);
    expect(await find("long", "early")).toEqual(["m3"]);
  });
});
