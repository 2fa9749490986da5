import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ArchivedSession, SessionArchive } from "../archive";
import { ArchiveFailedError, ArchiveNotFoundError, ExportDamagedError } from "../errors";
import { InMemorySessionStore } from "../in-memory/in-memory-session-store";
import { sessionText } from "../portable/session-text";
import { SessionManager } from "../session-manager";
import type { MaybePromise } from "../session-provider";
import { appendNumbered, user } from "./builders";
import { growTrees } from "./programs/run-tree-program";
import { treePrograms } from "./programs/tree-program";
import { shownBy } from "./shown-by";

export interface ArchiveSuiteOptions {
  /** An archive whose service does not answer. */
  readonly makeBroken?: () => MaybePromise<SessionArchive>;
  /** Length of the longest text that is written. Default 3,000,000 characters. */
  readonly longest?: number;
}

const oddIds = [
  "../../etc/passwd",
  "..",
  ".",
  "/",
  "a/b",
  "a\\b",
  "CON",
  "a",
  "A",
  "_41",
  "%2e%2e",
  "*?[x]",
  "a b\n\tc'\"$()",
  "机械🌳é",
  "-",
  ".hidden.jsonl",
  "x".repeat(200),
  "Ä".repeat(200),
  "\u007f\u0085\u2028\\".repeat(200),
];

/** Contract of every archive. `make` returns an empty one of an owner in shared storage. */
export function describeArchive(
  name: string,
  make: (owner: string) => MaybePromise<SessionArchive>,
  options: ArchiveSuiteOptions = {},
): void {
  const empty = () => make(crypto.randomUUID());
  describe(`${name} meets the contract of an archive:`, () => {
    textGuarantees(make, options);
    sessionGuarantees(empty);
    if (options.makeBroken) failureGuarantees(options.makeBroken);
  });
}

function textGuarantees(
  make: (owner: string) => MaybePromise<SessionArchive>,
  { longest = 3_000_000 }: ArchiveSuiteOptions,
): void {
  const empty = () => make(crypto.randomUUID());

  test("returns a text exactly, and nothing for an unknown id", async () => {
    const archive = await empty();
    const text = `{"a":"机械 🌳 \\u0000 \\ud800"}\n${"é🌳x".repeat(longest / 4)}\n`;
    await archive.put("tea", text);
    expect((await archive.get("tea")) === text).toBe(true);
    expect(await archive.get("coffee")).toBeNull();
  });

  test("replaces the text of an id as a whole, by a shorter one, too", async () => {
    const archive = await empty();
    await archive.put("tea", "x".repeat(longest / 2));
    await archive.put("tea", "short\n");
    expect(await archive.get("tea")).toBe("short\n");
    expect(await listed(archive)).toMatchObject([{ sessionId: "tea", bytes: 6 }]);
  });

  test("lists each session with its time and size in bytes", async () => {
    const archive = await empty();
    expect(await listed(archive)).toEqual([]);
    const before = Date.now();
    await archive.put("b", "text");
    await archive.put("a", "Ä🌳");
    const sessions = await listed(archive);
    const sizes = sessions.map(({ sessionId, bytes }) => [sessionId, bytes]);
    expect(sizes.sort()).toEqual([
      ["a", 6],
      ["b", 4],
    ]);
    // Some archives keep whole seconds.
    for (const { archivedAt } of sessions)
      expect(Math.abs(archivedAt.getTime() - before)).toBeLessThan(60_000);
  });

  test("deletes a text, and says whether there was one", async () => {
    const archive = await empty();
    await archive.put("tea", "x".repeat(longest / 2));
    expect(await archive.delete("tea")).toBe(true);
    expect(await archive.delete("tea")).toBe(false);
    expect(await archive.get("tea")).toBeNull();
    expect(await listed(archive)).toEqual([]);
  });

  test("keeps odd ids apart, and lists them unchanged", async () => {
    const archive = await empty();
    const textOf = (id: string) => `{}\n${JSON.stringify({ type: "session", id })}\n`;
    for (const id of oddIds) await archive.put(id, textOf(id));
    for (const id of oddIds) expect(await archive.get(id)).toBe(textOf(id));
    const ids = (await listed(archive)).map(({ sessionId }) => sessionId);
    expect(ids.sort()).toEqual(oddIds.toSorted());
    for (const id of oddIds) expect(await archive.delete(id)).toBe(true);
  });

  test("keeps owners apart", async () => {
    const [ada, bob] = [await empty(), await empty()];
    await ada.put("tea", "of Ada");
    await bob.put("tea", "of Bob");
    expect(await ada.get("tea")).toBe("of Ada");
    expect(await bob.delete("tea")).toBe(true);
    expect(await ada.get("tea")).toBe("of Ada");
    expect(await listed(bob)).toEqual([]);
  });

  test("keeps one whole text of those written at the same time", async () => {
    const archive = await empty();
    const texts = ["a", "b", "c", "d"].map((letter, n) => letter.repeat(longest / 3 - n));
    await Promise.all(texts.map((text) => archive.put("tea", text)));
    const kept = await archive.get("tea");
    expect(texts.some((text) => text === kept)).toBe(true);
    expect(await archive.delete("tea")).toBe(true);
  });

  test("returns a whole text while it is replaced", async () => {
    const archive = await empty();
    const texts = ["a", "b", "c"].map((letter) => letter.repeat(longest / 4));
    await archive.put("tea", texts[0] ?? "");
    const writing = Promise.all(texts.map((text) => archive.put("tea", text)));
    const read = await Promise.all([1, 2, 3, 4].map(() => archive.get("tea")));
    await writing;
    for (const found of read) expect(texts.some((text) => text === found)).toBe(true);
  });
}

function sessionGuarantees(empty: () => MaybePromise<SessionArchive>): void {
  test("brings back any session as it was, after it was deleted", async () => {
    const archive = await empty();
    const property = fc.asyncProperty(treePrograms(30), fc.string(), async (program, memory) => {
      const store = new InMemorySessionStore();
      const sessions = SessionManager.create(store);
      await growTrees(store, program);
      for (const { id } of await sessions.list()) {
        await store.block({ label: "todos", sessionId: id }).set(memory.toWellFormed());
        const before = await shownBy(store, id, ["todos"]);
        await sessions.archiveTo(archive, id);
        await sessions.delete(id);
        await sessions.restoreFrom(archive, id);
        expect(await shownBy(store, id, ["todos"])).toEqual(before);
      }
    });
    await fc.assert(property, { numRuns: 8 });
  }, 300_000);

  test("refuses a text that was written halfway, and stores nothing of it", async () => {
    const archive = await empty();
    const { store, sessions, text } = await archivable();
    await archive.put("tea", text.slice(0, text.length / 2));
    await sessions.delete("tea");
    await expect(sessions.restoreFrom(archive, "tea")).rejects.toThrow(ExportDamagedError);
    expect(await store.sessions.get("tea")).toBeNull();
    await store.sessions.restore("tea");
    expect(await store.messages("tea").getPathLength()).toBe(4);
  });

  test("refuses the text of another session", async () => {
    const archive = await empty();
    const { sessions, text } = await archivable();
    await archive.put("coffee", text);
    await expect(sessions.restoreFrom(archive, "coffee")).rejects.toThrow(
      "The exported session is damaged: it is the session “tea”.",
    );
  });

  test("has nothing to restore for an id it does not know", async () => {
    const { sessions } = await archivable();
    await expect(sessions.restoreFrom(await empty(), "tea")).rejects.toThrow(ArchiveNotFoundError);
  });
}

function failureGuarantees(makeBroken: () => MaybePromise<SessionArchive>): void {
  test("fails by name while its service is down", async () => {
    const archive = await makeBroken();
    const calls = [
      archive.put("tea", "text"),
      archive.get("tea"),
      archive.delete("tea"),
      listed(archive),
    ];
    for (const call of await Promise.allSettled(calls)) {
      expect("reason" in call && (call.reason as unknown)).toBeInstanceOf(ArchiveFailedError);
    }
  });

  test("leaves the session as it is while its service is down", async () => {
    const { store, sessions } = await archivable();
    const archive = await makeBroken();
    const before = await shownBy(store, "tea");
    await expect(sessions.archiveTo(archive, "tea")).rejects.toThrow(ArchiveFailedError);
    expect(await shownBy(store, "tea")).toEqual(before);
    await sessions.delete("tea");
    await expect(sessions.restoreFrom(archive, "tea")).rejects.toThrow(ArchiveFailedError);
    expect(await store.sessions.get("tea")).toBeNull();
  });
}

async function archivable() {
  const store = new InMemorySessionStore();
  const sessions = SessionManager.create(store);
  await sessions.create("Tea", { id: "tea" });
  await appendNumbered(store.messages("tea"), 3);
  await sessions.append("tea", user("q4", "Last"));
  return { store, sessions, text: sessionText(await store.sessions.export("tea")) };
}

async function listed(archive: SessionArchive): Promise<ArchivedSession[]> {
  const sessions: ArchivedSession[] = [];
  for await (const session of archive.list()) sessions.push(session);
  return sessions;
}
