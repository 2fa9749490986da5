import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SessionExistsError } from "../../session";
import { parseSessionText } from "../../session/internal";
import { user } from "../../session/testing";
import { PostgresContextProvider } from "../memory/entries";
import { countData } from "./delete-rows";
import { ImportError } from "./import-error";
import { importLines } from "./import-lines";
import { fullOwner, shownBy, withoutTimes } from "./testing/full-owner";
import { portableDatabase } from "./testing/portable-database";

const database = portableDatabase();
const { newOwner, storeOf, exported, imported } = database;

const deep = Number(process.env.GROVE_TEST_DEPTH ?? 1);

describe("an import", () => {
  test("of the same file again changes nothing", { tags: "long" }, async () => {
    const lines = await exported(await fullOwner(database.sql));
    const other = newOwner();
    await imported(other, lines);
    const before = await exported(other);
    expect(await imported(other, lines)).toMatchObject({
      sessions: { imported: 0, already: 2 },
      documents: { imported: 0, already: 4, left: 0 },
      problemCount: 0,
    });
    expect(withoutTimes(await exported(other))).toEqual(withoutTimes(before));
  });

  const nameless = Array.from({ length: 4_000 }, () => Math.random().toString(36)).join("");

  test.each([
    { of: "an id too long for an index", before: "session", change: { messageId: nameless } },
    { of: "NUL in a text", before: "session", change: { messageId: "\0" } },
    { of: "NUL in a use", before: "end", change: { model: "\0" } },
    { of: "a year before the first", before: "end", change: { createdAt: "0000-01-01T00:00:00Z" } },
  ])("names what cannot be stored at its end: $of", async ({ before, change }) => {
    const lines = await exported(await fullOwner(database.sql));
    const at = lines.findIndex((line) => line.startsWith(`{"type":"${before}"`)) - 1;
    const damaged = JSON.stringify({ ...JSON.parse(lines[at] ?? ""), ...change });
    const end = JSON.stringify({ type: "end", sessions: 2 });
    const report = await imported(newOwner(), [
      ...lines.slice(0, at).toSpliced(1, 0, end),
      damaged,
    ]);
    expect(report.problems.map(({ message }) => message)).toContain(
      "It holds something that cannot be stored.",
    );
  });

  test("keeps the uses beside one that cannot be stored", { tags: "long" }, async () => {
    const lines = await exported(await fullOwner(database.sql));
    const use = lines.findIndex((line) => line.startsWith('{"type":"usage"'));
    const damaged = JSON.stringify({ ...JSON.parse(lines[use] ?? ""), id: "u2", model: "\0" });
    const owner = newOwner();
    const report = await imported(owner, lines.toSpliced(use, 0, damaged));
    expect(report.problemCount).toBe(1);
    expect((await exported(owner)).filter((line) => line.startsWith('{"type":"usage"'))).toEqual([
      lines[use],
    ]);
  });

  test("counts a call of a project once for the person who paid for it", async () => {
    const owner = newOwner();
    const call = { kind: "answer", sessionId: "", model: "m", inputTokens: 1, cachedTokens: 0 };
    const of = { ...call, outputTokens: 1, cost: 1, reported: true, createdAt: new Date() };
    const use = (id: string) => JSON.stringify({ type: "usage", id, ...of });
    const [header = ""] = await exported(owner);
    await database.sql`
      insert into chat_usage (owner_id, usage_id, space_id, kind, session_id, model, input_tokens, output_tokens, reported)
      values (${owner}, 'p-1 answer a', 'p-1', 'answer', '', 'm', 1, 1, true)`;
    const end = JSON.stringify({ type: "end", sessions: 0 });
    expect(await imported(owner, [header, use("answer a"), use("answer b"), end])).toMatchObject({
      problemCount: 0,
    });
    const rows = await database.sql`select from chat_usage where owner_id = ${owner}`;
    expect(rows).toHaveLength(2);
  });

  test("leaves alone what has gone on here since", { tags: "long" }, async () => {
    const owner = await fullOwner(database.sql);
    const lines = await exported(owner);
    await storeOf(owner).messages("tea").appendMessage(user("later", "Later"));
    const memory = new PostgresContextProvider(database.sql, { ownerId: owner, label: "memory" });
    await memory.set("three", { provenance: { author: "person" } });
    expect(await imported(owner, lines)).toMatchObject({
      sessions: { already: 2 },
      documents: { already: 4 },
    });
    expect(await memory.get()).toBe("three");
    expect(await storeOf(owner).messages("tea").getMessage("later")).not.toBeNull();
  });

  test("brings back a session that was deleted", { tags: "long" }, async () => {
    const owner = await fullOwner(database.sql);
    const lines = await exported(owner);
    await storeOf(owner).sessions.delete("tea");
    expect(await imported(owner, lines)).toMatchObject({ sessions: { restored: 1, already: 1 } });
    expect(await storeOf(owner).sessions.get("tea")).not.toBeNull();
  });

  test("gives another name to a session whose name something else has, always the same one", {
    tags: "long",
  }, async () => {
    const lines = await exported(await fullOwner(database.sql));
    const other = newOwner();
    await storeOf(other).sessions.create("Mine", { id: "tea" });
    await storeOf(other).messages("tea").appendMessage(user("mine", "Mine"));
    expect(await imported(other, lines)).toMatchObject({ sessions: { imported: 2 } });
    expect(await imported(other, lines)).toMatchObject({ sessions: { imported: 0, already: 2 } });
    const { sessions } = await storeOf(other).sessions.list();
    const copy = sessions.find(({ name }) => name === "Tea");
    expect(sessions.find(({ id }) => id === "fork")?.parentSessionId).toBe(copy?.id);
    expect(await storeOf(other).messages("tea").getPathLength()).toBe(1);
  });

  test("keeps memory that was changed here, takes what only continues it", {
    tags: "long",
  }, async () => {
    const lines = await exported(await fullOwner(database.sql));
    const [mine, behind] = [newOwner(), newOwner()];
    const memoryOf = (owner: string) =>
      new PostgresContextProvider(database.sql, { ownerId: owner, label: "memory" });
    await memoryOf(mine).set("my own", { provenance: { author: "person" } });
    expect(await imported(mine, lines)).toMatchObject({
      documents: { left: 1, imported: 3 },
    });
    expect(await memoryOf(mine).get()).toBe("my own");
    await memoryOf(behind).set("an example", { provenance: { author: "system" } });
    expect(await imported(behind, lines)).toMatchObject({ documents: { imported: 4 } });
    expect(await memoryOf(behind).get()).toBe("two");
  });

  test("with gaps behind which nothing lies shows the same, and goes on from there", async () => {
    const [owner, copy] = [newOwner(), newOwner()];
    await storeOf(owner).sessions.create("Tea", { id: "tea" });
    for (const id of ["a", "b"]) await storeOf(owner).messages("tea").appendMessage(user(id));
    const lines = await exported(owner);
    const gaps = [
      { type: "gap", id: "g", parentId: "b" },
      { type: "gap", id: "h", parentId: null },
    ];
    const at = lines.findIndex((line) => line.includes('"session-end"'));
    const file = lines.toSpliced(at, 0, ...gaps.map((gap) => JSON.stringify(gap)));
    expect((await imported(copy, file)).problems).toEqual([]);
    expect(await shownBy(database.sql, copy)).toEqual(await shownBy(database.sql, owner));
    for (const of of [owner, copy]) await storeOf(of).messages("tea").appendMessage(user("c"));
    const treeOf = async (of: string) =>
      (await storeOf(of).messages("tea").getTree()).map(({ id, parentId }) => [id, parentId]);
    expect(await treeOf(copy)).toEqual(await treeOf(owner));
    expect(await storeOf(copy).messages("tea").getPathLength()).toBe(3);
  });

  const broken: [string, (line: string) => string | null, string | undefined][] = [
    ["an unknown parent", (line) => line.replace('"parentId":"q1"', '"parentId":"x"'), "parentId"],
    ["a repeated id", (line) => line.replace('"id":"q2"', '"id":"q1"'), "id"],
    ["an unknown role", (line) => line.replace('"role":"user"', '"role":"root"'), "role"],
    [
      "a text that is none",
      (line) => line.replace('"text":"Text q2"', '"text":7'),
      "content.parts.0.text",
    ],
    ["no JSON", () => "{", undefined],
    ["a missing message", () => null, "parentId"],
  ];
  test.each(broken)(
    "with %s leaves that session out whole, says where, and takes the rest",
    { tags: "long" },
    async (_, breakIt, field) => {
      const lines = await exported(await fullOwner(database.sql));
      const at = lines.findIndex((line) => line.includes('"id":"q2"'));
      const changed = breakIt(lines[at] ?? "");
      const file = lines.toSpliced(at, 1, ...(changed === null ? [] : [changed]));
      const other = newOwner();
      const report = await imported(other, file);
      expect(report.sessions).toEqual({ imported: 1, already: 0, restored: 0, failed: 1 });
      expect(report.problems).toMatchObject([
        { line: at + 1, ...(field && { field }), message: expect.stringContaining("“Tea”") },
      ]);
      expect((await storeOf(other).sessions.list()).sessions.map(({ id }) => id)).toEqual(["fork"]);
      const rows = await database.sql`
      select from chat_message where owner_id = ${other} and session_id = 'tea'`;
      expect(rows).toHaveLength(0);
    },
  );

  test("that ends early takes the sessions that are whole, and can be done again", {
    tags: "long",
  }, async () => {
    const lines = await exported(await fullOwner(database.sql));
    const other = newOwner();
    const half = lines.slice(
      0,
      lines.findIndex((line) => line.includes('"id":"f1"')),
    );
    expect(await imported(other, half)).toMatchObject({
      sessions: { imported: 1, failed: 1 },
      problems: [{ message: expect.stringContaining("ends early") }],
    });
    expect(await imported(other, lines)).toMatchObject({ sessions: { imported: 1, already: 1 } });
  });

  test("that breaks off leaves nothing half, and what a killed one left is swept away", {
    tags: "long",
  }, async () => {
    const lines = await exported(await fullOwner(database.sql));
    const other = newOwner();
    async function* cut() {
      yield* lines.slice(
        0,
        lines.findIndex((line) => line.includes('"id":"q3"')),
      );
      throw new Error("hung up");
    }
    await expect(importLines(database.sql, cut(), { ownerId: other })).rejects.toThrow("hung up");
    expect(await countData(database.sql, other)).toMatchObject({ sessions: 0, messages: 0 });
    await database.sql`
      insert into chat_session (owner_id, session_id, source, deleted_at) values (${other}, 'tea', 'importing', now())`;
    await expect(storeOf(other).sessions.restore("tea")).rejects.toThrow();
    expect(await imported(other, lines)).toMatchObject({ sessions: { imported: 2, failed: 0 } });
  });

  /** Starts an import that waits before the line with `text`, and goes on once `meanwhile` is done. */
  async function importAround(
    { owner, lines, text }: { owner: string; lines: readonly string[]; text: string },
    meanwhile: () => Promise<void>,
  ) {
    const { promise: others, resolve: goOn } = Promise.withResolvers<void>();
    const { promise: isHalf, resolve: reachHalf } = Promise.withResolvers<void>();
    async function* slowly() {
      for (const line of lines) {
        if (line.includes(text)) {
          reachHalf();
          await others;
        }
        yield line;
      }
    }
    const first = importLines(database.sql, slowly(), { ownerId: owner });
    await isHalf;
    await meanwhile().finally(goOn);
    return first;
  }

  test("of a session that is being stored is refused, and the first import completes", {
    tags: "long",
  }, async () => {
    const lines = await exported(await fullOwner(database.sql), "tea");
    const tea = parseSessionText(lines.join(""));
    const owner = newOwner();
    const text = '"type":"session-end"';
    const first = await importAround({ owner, lines, text }, async () => {
      await expect(storeOf(owner).sessions.import(tea)).rejects.toThrow(SessionExistsError);
      const { sessions, problems } = await imported(owner, lines);
      expect(sessions).toMatchObject({ imported: 0, failed: 1 });
      expect(problems).toMatchObject([{ message: expect.stringContaining("being imported") }]);
    });
    expect(first).toMatchObject({ sessions: { imported: 1, failed: 0 }, problems: [] });
    expect(await storeOf(owner).messages("tea").getMessage("q3")).not.toBeNull();
    expect(await imported(owner, lines)).toMatchObject({ sessions: { already: 1 } });
  });

  test("of a session of which nothing is stored yet leaves it to the first that is complete", async () => {
    const [from, owner] = [newOwner(), newOwner()];
    await storeOf(from).sessions.create("Soup", { id: "soup" });
    for (const id of ["a", "b"]) await storeOf(from).messages("soup").appendMessage(user(id));
    const lines = await exported(from);
    const first = await importAround({ owner, lines, text: '"id":"b"' }, async () => {
      expect(await imported(owner, lines)).toMatchObject({ sessions: { imported: 1 } });
    });
    expect(first).toMatchObject({ sessions: { imported: 0, already: 1 }, problems: [] });
    expect(await countData(database.sql, owner)).toMatchObject({ sessions: 1, messages: 2 });
  });

  test.each([[[]], [["{}"]], [['{"type":"grove-export","format":2}']], [["[".repeat(10_000)]]])(
    "of what is no export is refused as a whole",
    async (lines) => {
      await expect(imported(newOwner(), lines)).rejects.toThrow(ImportError);
    },
  );

  test("refuses a section whose name would break the prompt, and a part the page cannot show", async () => {
    const owner = newOwner();
    const messages = storeOf(owner).messages((await storeOf(owner).sessions.create("Tea")).id);
    await messages.appendMessage({ id: "q", role: "user", parts: [{ type: "text", text: "T" }] });
    const lines = await exported(owner);
    const block = JSON.stringify({
      ...{ type: "block", scope: "", description: "", kind: "writable", writers: "both" },
      ...{ label: "soup\n═══", maxTokens: null, perSession: false, origin: "person" },
    });
    const broken = [
      { type: "dynamic-tool", toolCallId: "c", state: "output-available" },
      { type: "tool-x", toolCallId: "c", state: "output-error" },
      { type: "file", mediaType: 7 },
      { type: "x".repeat(201) },
    ];
    for (const part of broken) {
      const file = lines.map((line) =>
        line.replace('{"type":"text","text":"T"}', JSON.stringify(part)),
      );
      expect(await imported(newOwner(), file)).toMatchObject({ sessions: { failed: 1 } });
    }
    const [header = "", ...rest] = lines;
    const report = await imported(newOwner(), [header, block, ...rest]);
    expect(report).toMatchObject({
      sessions: { imported: 1 },
      problems: [{ line: 2, field: "label" }],
    });
  });

  test("of anything at all never fails otherwise", { tags: "long", timeout: 300_000 }, async () => {
    const lines = await exported(await fullOwner(database.sql));
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.tuple(fc.nat(), fc.nat(), fc.constantFrom("", "0", "null", "{", '"', "x", "-1")),
        ),
        async (changes) => {
          const file = [...lines];
          for (const [which, where, text] of changes) {
            const n = 1 + (which % (file.length - 1));
            const line = file[n] ?? "";
            const at = where % (line.length + 1);
            file[n] = line.slice(0, at) + text + line.slice(at + 1);
          }
          const owner = newOwner();
          const { sessions } = await imported(owner, file);
          const { sessions: shown } = await storeOf(owner).sessions.list();
          expect(shown).toHaveLength(sessions.imported);
        },
      ),
      { numRuns: 10 * deep },
    );
  });
});
