import { isBlankQuery, parseQuery, Session, SessionManager } from "grove-session";
import { assistant, ids, user } from "grove-session/testing";
import { expect, test } from "vitest";
import { onEveryStore } from "./every-store";

onEveryStore((openStore) => {
  test("searching a session", async () => {
    const session = Session.create(openStore());
    await session.appendMessage(user("q1", "When is the deployment to Zürich?"));
    await session.appendMessage(assistant("a1", "On Friday, as the other deployments."));

    const hits = await session.search("deployment friday", { limit: 10 });
    const [hit] = hits;

    expect(ids(hits)).toEqual(["a1"]);
    expect(hit).toMatchObject({
      role: "assistant",
      content: "On Friday, as the other deployments.",
      createdAt: expect.any(Date),
      sessionId: "default",
      score: expect.any(Number),
      place: "active",
    });
    const { text, marks } = hit?.snippet ?? { text: "", marks: [] };
    expect(marks.map(([start, end]) => text.slice(start, end))).toEqual(["Friday", "deployments"]);
  });

  test("what a line means", async () => {
    const session = Session.create(openStore());
    await session.appendMessage(user("q1", "Black tea from Zürich"));
    await session.appendMessage(assistant("a1", "Green tea steeps two minutes"));
    await session.appendMessage(user("q2", "東京で会議があります"));
    const found = async (query: string) => ids(await session.search(query)).toSorted();

    expect(await found("tea black")).toEqual(["q1"]);
    expect(await found('"green tea"')).toEqual(["a1"]);
    expect(await found('"tea green"')).toEqual([]);
    expect(await found("tea -green")).toEqual(["q1"]);
    expect(await found("zurich")).toEqual(["q1"]);
    expect(await found("steeping")).toEqual(["a1"]);
    expect(await found("minu")).toEqual(["a1"]);
    expect(await found("会議")).toEqual(["q2"]);
    expect(await found("tea role:user")).toEqual(["q1"]);
    expect(await found("tea after:2999-01-01")).toEqual([]);

    expect(await found("")).toEqual([]);
    expect(await found("-tea")).toEqual([]);
    expect(await found('" & ! ( :*')).toEqual([]);
  });

  test("where hits lie", async () => {
    const session = Session.create(openStore());
    for (const message of [user("q1", "apples one"), assistant("a1", "apples two"), user("q2")]) {
      await session.appendMessage(message);
    }
    await session.addCompaction("About apples", "q1", "a1");
    await session.appendMessage(assistant("b1", "apples three"), "q1", { activate: false });
    await session.appendMessage(assistant("a2", "apples four"));

    const hits = await session.search("apples");

    expect(hits.map(({ id, place }) => [id, place]).toSorted()).toEqual([
      ["a1", "summary"],
      ["a1", "under-summary"],
      ["a2", "active"],
      ["b1", "branch"],
      ["q1", "under-summary"],
    ]);
  });

  test("searching every session", async () => {
    const sessions = SessionManager.create(openStore());
    for (const name of ["Tea", "Coffee"]) {
      const { id } = await sessions.create(name, { tags: [name.toLowerCase()] });
      await sessions.append(id, user("q1", `Where to buy ${name}?`));
    }

    const everywhere = await sessions.search("buy", { limit: 20 });
    const tagged = await sessions.search("buy tag:tea");

    expect(everywhere.map(({ sessionTitle }) => sessionTitle).toSorted()).toEqual([
      "Coffee",
      "Tea",
    ]);
    expect(tagged.map(({ content }) => content)).toEqual(["Where to buy Tea?"]);
  });

  test("limits", async () => {
    const session = Session.create(openStore());
    for (let n = 0; n < 25; n++) await session.appendMessage(user(`q${n}`, `apple ${n}`));
    expect(await session.search("apple")).toHaveLength(20);
    expect(await session.search("apple", { limit: 3 })).toHaveLength(3);
    await session.updateMessage(user("q0", "pear"));
    expect(ids(await session.search("pear"))).toEqual(["q0"]);
    await session.deleteMessages(["q0"]);
    expect(await session.search("pear")).toEqual([]);
  });

  test("an unfinished word", async () => {
    const session = Session.create(openStore());
    await session.appendMessage(user("q1", "apples"));
    expect(await session.search("app")).toHaveLength(1);
    expect(await session.search("app", { prefix: false })).toEqual([]);
  });
});

test("a line as data", () => {
  const query = parseQuery('"green tea" -sugar role:user');

  expect(query.role).toBe("user");
  expect(query.phrases.map(({ terms, negated }) => [terms.map(([term]) => term), negated])).toEqual(
    [
      [["green", "tea"], false],
      [["sugar"], true],
    ],
  );
  expect(isBlankQuery(query)).toBe(false);
  expect(isBlankQuery(parseQuery("-sugar"))).toBe(true);
});
