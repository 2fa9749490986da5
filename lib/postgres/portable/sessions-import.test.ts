import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { user } from "../../session/testing";
import { countData } from "./delete-rows";
import { importLines } from "./import-lines";
import { shownBy } from "./testing/full-owner";
import { portableDatabase } from "./testing/portable-database";

const database = portableDatabase();
const { newOwner, storeOf, exported, imported } = database;

const deep = Number(process.env.GROVE_TEST_DEPTH ?? 1);

let chats: Record<"small" | "branched" | "empty" | "summarized" | "long" | "forked", string[]>;
let enclosing: { header: string; end: string };

describe("sessions of one file", () => {
  beforeAll(async () => {
    const owner = newOwner();
    const messagesOf = async (id: string) => {
      await storeOf(owner).sessions.create(id, { id });
      return storeOf(owner).messages(id);
    };
    const small = await messagesOf("small");
    await small.appendMessage(user("a", "One"));
    await small.appendMessage(user("b", "Two"));
    const branched = await messagesOf("branched");
    for (const id of ["a", "b"]) await branched.appendMessage(user(id));
    for (const id of ["c", "d"]) await branched.appendMessage(user(id), "a");
    await branched.appendMessage(user("e"), null);
    await branched.setActiveLeaf("b");
    await messagesOf("empty");
    const summarized = await messagesOf("summarized");
    for (const id of ["a", "b", "c"]) await summarized.appendMessage(user(id));
    await summarized.addCompaction("What was said", "a", "b");
    const long = await messagesOf("long");
    const many = Array.from({ length: 230 }, (_, n) => user(`m${n}`, `Line ${n}`));
    await long.appendMessages(many);
    const linesOf = async (id: string) => (await exported(owner, id)).slice(1, -1);
    const smallLines = await linesOf("small");
    chats = {
      small: smallLines,
      branched: await linesOf("branched"),
      empty: await linesOf("empty"),
      summarized: await linesOf("summarized"),
      long: await linesOf("long"),
      forked: smallLines.map((line) =>
        line.replace(
          '"parentSessionId":null,"forkedAtMessageId":null',
          '"parentSessionId":"PARENT","forkedAtMessageId":"a"',
        ),
      ),
    };
    const all = await exported(owner, "small");
    enclosing = { header: all[0] ?? "", end: all.at(-1) ?? "" };
  });

  test("come in the order of the file, each with all its branches, however many there are", {
    tags: "long",
  }, async () => {
    const owner = newOwner();
    const ids = Array.from({ length: 130 }, (_, n) => `c${n}`);
    const file = fileOf(ids.map((id, n) => chat(n % 3 === 0 ? "branched" : "small", id)));
    const report = await imported(owner, file);
    expect(report.outcomes).toEqual(
      ids.map((id) => ({ id, sessionId: id, outcome: "imported" as const })),
    );
    const branched = storeOf(owner).messages("c0");
    const leaves = await branched.getLeaves();
    expect(leaves.map(({ id }) => id).sort()).toEqual(["b", "c", "d", "e"]);
    expect((await branched.getLatestLeaf())?.id).toBe("b");
    expect(await storeOf(owner).messages("c128").getPathLength()).toBe(2);
    expect(await imported(owner, file)).toMatchObject({ sessions: { imported: 0, already: 130 } });
  });

  test("do not suffer from one that the database refuses", async () => {
    const owner = newOwner();
    const refused = chat("small", "refused").map((line) =>
      line.replace(/"createdAt":"[^"]*"/, '"createdAt":"0000-01-01T00:00:00Z"'),
    );
    const report = await imported(
      owner,
      fileOf([chat("small", "before"), refused, chat("small", "after")]),
    );
    expect(report.outcomes.map(({ id, outcome }) => [id, outcome])).toEqual([
      ["before", "imported"],
      ["refused", "failed"],
      ["after", "imported"],
    ]);
    expect(report.problems).toMatchObject([
      { message: expect.stringContaining("cannot be stored") },
    ]);
    expect(await countData(database.sql, owner)).toMatchObject({ sessions: 2, messages: 4 });
  });

  test("follow one whose id is taken here, also within a group", async () => {
    const owner = newOwner();
    await storeOf(owner).sessions.create("Mine", { id: "tea" });
    const report = await imported(owner, fileOf([chat("small", "tea"), fork("fork", "tea")]));
    const [tea, forked] = report.outcomes;
    expect(tea?.sessionId).not.toBe("tea");
    expect(forked?.sessionId).toBe("fork");
    expect((await storeOf(owner).sessions.get("fork"))?.parentSessionId).toBe(tea?.sessionId);
  });

  test("with the same id are one when they are the same, and two when they are not", async () => {
    const owner = newOwner();
    const same = [chat("small", "tea"), chat("small", "tea")];
    const report = await imported(owner, fileOf([...same, chat("branched", "tea")]));
    expect(report.outcomes.map(({ outcome }) => outcome)).toEqual([
      "imported",
      "already",
      "imported",
    ]);
    expect(await countData(database.sql, owner)).toMatchObject({ sessions: 2, messages: 7 });
  });

  test("one without an end is left out, and the one after it is taken", async () => {
    const owner = newOwner();
    const cut = chat("small", "cut").slice(0, -1);
    const report = await imported(owner, fileOf([cut, chat("small", "after")]));
    expect(report.outcomes.map(({ id, outcome }) => [id, outcome])).toEqual([
      ["cut", "failed"],
      ["after", "imported"],
    ]);
  });

  test("stay when the import is stopped, as far as they are complete", async () => {
    const owner = newOwner();
    const complete = Array.from({ length: 60 }, (_, n) => chat("small", `c${n}`)).flat();
    async function* stopped() {
      yield* [enclosing.header, ...complete, ...chat("small", "half").slice(0, 2)];
      throw new Error("stopped");
    }
    await expect(importLines(database.sql, stopped(), { ownerId: owner })).rejects.toThrow(
      "stopped",
    );
    expect(await countData(database.sql, owner)).toMatchObject({ sessions: 60, messages: 120 });
  });

  test("fail with the connection that writes them, none of a group stored", async () => {
    const owner = newOwner();
    const complete = Array.from({ length: 120 }, (_, n) => chat("small", `c${n}`)).flat();
    async function* cut() {
      yield enclosing.header;
      await database.sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and state = 'idle'`;
      yield* complete;
    }
    await expect(importLines(database.sql, cut(), { ownerId: owner })).rejects.toThrow();
    expect(await countData(database.sql, owner)).toMatchObject({ sessions: 0, messages: 0 });
  });

  test("come as each in a file of its own would", { tags: "long", timeout: 300_000 }, async () => {
    const kind = fc.constantFrom("small", "branched", "empty", "summarized", "long");
    const id = fc.constantFrom("a", "b", "c", "d", "e", "taken");
    const whole = fc.record({ kind, id, parent: fc.constant(null), cutAt: fc.constant(null) });
    const forked = fc.record({
      kind: fc.constant("forked" as const),
      id,
      parent: id,
      cutAt: fc.constant(null),
    });
    const broken = fc.record({ kind, id, parent: fc.constant(null), cutAt: fc.nat(3) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof({ weight: 5, arbitrary: whole }, forked, broken), { maxLength: 12 }),
        async (given) => {
          const sessions = given.map(({ kind, id, parent, cutAt }) => {
            const lines = parent === null ? chat(kind, id) : fork(id, parent);
            return cutAt === null ? lines : lines.toSpliced(1 + cutAt, 1, "{");
          });
          const [together, apart] = [newOwner(), newOwner()];
          for (const owner of [together, apart])
            await storeOf(owner).sessions.create("Mine", { id: "taken" });
          const report = await imported(together, fileOf(sessions));
          const reports = [];
          for (const lines of sessions) reports.push(await imported(apart, fileOf([lines])));
          const outcomesIn = (outcomes: typeof report.outcomes) =>
            outcomes.map(({ id, outcome }) => [id, outcome]);
          expect(outcomesIn(report.outcomes)).toEqual(
            outcomesIn(reports.flatMap(({ outcomes }) => outcomes)),
          );
          expect(await shownBy(database.sql, together)).toEqual(await shownBy(database.sql, apart));
        },
      ),
      { numRuns: 6 * deep },
    );
  });
});

/** The lines of a session of such a kind, with this id. */
function chat(kind: keyof typeof chats, id: string): string[] {
  return chats[kind].map((line) =>
    line.replace(/^(\{"type":"session(?:-end)?","id":)"[^"]*"/, `$1${JSON.stringify(id)}`),
  );
}

function fork(id: string, parent: string): string[] {
  return chat("forked", id).map((line) => line.replace('"PARENT"', JSON.stringify(parent)));
}

function fileOf(sessions: readonly string[][]): string[] {
  return [enclosing.header, ...sessions.flat(), enclosing.end];
}
