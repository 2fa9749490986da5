import { describe, expect, test } from "vitest";
import { InvalidArgumentError, SessionArchivedError, SessionNotFoundError } from "../../errors";
import { SessionManager } from "../../session-manager";
import { appendNumbered, assistant, ids, user } from "../builders";
import { listed, type MakeStore, nextMillisecond } from "./make-store";

export function registryGuarantees(make: MakeStore): void {
  describe("a session", () => {
    test("is refused an id that no session can have", async () => {
      const store = await make();
      await store.sessions.create("A", { id: "a" });
      await store.messages("a").appendMessage(user("q1"));
      for (const id of ["", " ", "x".repeat(201), "x".repeat(512)]) {
        await expect(store.sessions.create("B", { id })).rejects.toThrow(InvalidArgumentError);
        await expect(store.sessions.fork("a", "q1", "B", { id })).rejects.toThrow(
          InvalidArgumentError,
        );
        await expect(store.messages(id).appendMessage(user("q1"))).rejects.toThrow(
          SessionNotFoundError,
        );
        expect(await store.sessions.get(id)).toBeNull();
        expect(await store.messages(id).getHistory()).toEqual([]);
      }
    });

    test("is created with the given fields and zero counts", async () => {
      const { sessions } = await make();
      const info = await sessions.create("Trip", {
        id: "s1",
        model: "m",
        source: "web",
        tags: ["a", "b"],
        metadata: { color: "green" },
      });
      expect(info).toEqual({
        changed: true,
        id: "s1",
        name: "Trip",
        parentSessionId: null,
        parent_session_id: null,
        forkedAtMessageId: null,
        model: "m",
        source: "web",
        tags: ["a", "b"],
        metadata: { color: "green" },
        messageCount: 0,
        inputTokens: 0,
        outputTokens: 0,
        cost: 0,
        pinnedAt: null,
        archivedAt: null,
        expiresAfterMs: null,
        expiresAt: null,
        createdAt: expect.any(Date),
        updatedAt: expect.any(Date),
      });
      const { changed: _, ...created } = info;
      expect(await sessions.get("s1")).toEqual(created);
    });

    test("gets an id of its own, and none when unknown", async () => {
      const { sessions } = await make();
      const [first, second] = [await sessions.create("A"), await sessions.create("A")];
      expect(first.id).not.toBe(second.id);
      expect(await sessions.get("nowhere")).toBeNull();
    });

    test("is created once when asked twice with one id", async () => {
      const { sessions } = await make();
      await sessions.create("First", { id: "s1" });
      expect((await sessions.create("Second", { id: "s1" })).name).toBe("First");
      expect((await sessions.list()).sessions).toHaveLength(1);
    });

    test("can name the session it came from", async () => {
      const { sessions } = await make();
      await sessions.create("A", { id: "a" });
      const info = await sessions.create("B", { parentSessionId: "a" });
      expect(info.parentSessionId).toBe("a");
      expect(info.parent_session_id).toBe("a");
      expect(await sessions.forks("a")).toEqual([]);
    });

    test("counts its messages", async () => {
      const store = await make();
      await store.sessions.create("A", { id: "a" });
      await appendNumbered(store.messages("a"), 3);
      await store.messages("a").appendMessage(assistant("b2"), "m1");
      expect((await store.sessions.get("a"))?.messageCount).toBe(4);
      await store.messages("a").deleteMessages(["m2"]);
      expect((await store.sessions.get("a"))?.messageCount).toBe(3);
    });

    test("changes only the given fields", async () => {
      const { sessions } = await make();
      const before = await sessions.create("A", { id: "a", tags: ["x"], metadata: { one: 1 } });
      const renamed = await sessions.update("a", { name: "B", metadata: { two: 2 } });
      expect(renamed).toMatchObject({ name: "B", tags: ["x"], metadata: { one: 1, two: 2 } });
      const changed = await sessions.update("a", {
        model: "m2",
        tags: [],
        metadata: { one: undefined, two: null },
        pinned: true,
        archived: true,
      });
      expect(changed).toMatchObject({
        name: "B",
        model: "m2",
        tags: [],
        metadata: { one: 1, two: null },
        pinnedAt: expect.any(Date),
        archivedAt: expect.any(Date),
        createdAt: before.createdAt,
      });
      const back = await sessions.update("a", { model: null, pinned: false, archived: false });
      expect(back).toMatchObject({ model: null, pinnedAt: null, archivedAt: null });
      expect(await sessions.get("a")).toEqual(back);
    });

    test("adds up usage, which is activity", async () => {
      const { sessions } = await make();
      const { updatedAt } = await sessions.create("A", { id: "a" });
      await sessions.create("B", { id: "b" });
      await nextMillisecond();
      await sessions.addUsage("a", { inputTokens: 100, outputTokens: 20, cost: 0.5 });
      await sessions.addUsage("a", { inputTokens: 1, outputTokens: 2, cost: 0.25 });
      expect(await sessions.get("a")).toMatchObject({
        inputTokens: 101,
        outputTokens: 22,
        cost: 0.75,
      });
      expect((await sessions.get("a"))?.updatedAt.getTime()).toBeGreaterThan(updatedAt.getTime());
      expect(ids((await sessions.list()).sessions)).toEqual(["a", "b"]);
    });

    test("refuses messages while archived, where asked to", async () => {
      const store = await make();
      await store.sessions.create("A", { id: "a" });
      const guarded = SessionManager.create(store).refuseWhenArchived().getSession("a");
      await guarded.appendMessage(user("q1"));
      await store.sessions.update("a", { archived: true });
      for (const attempt of [
        () => guarded.appendMessage(assistant("a1")),
        () => guarded.appendMessages([assistant("a1"), user("q2")]),
        () => guarded.follow([user("q1"), assistant("a1")]),
        () => guarded.follow([user("q2")]),
        () => guarded.tree.continueAfter("q1", [assistant("a1")], { expectedLeafId: "q1" }),
        () => guarded.tree.continueAfter(null, [user("q2")], { expectedLeafId: "q1" }),
      ]) {
        await expect(attempt(), String(attempt)).rejects.toThrow(SessionArchivedError);
      }
      expect((await guarded.getLatestLeaf())?.id).toBe("q1");
      await guarded.updateMessage(user("q1", "changed"));
      expect(ids(await guarded.getHistory())).toEqual(["q1"]);
      await store.messages("a").appendMessage(assistant("a1"));
      await store.sessions.update("a", { archived: false });
      await guarded.appendMessage(user("q2"));
      expect(ids(await guarded.getHistory())).toEqual(["q1", "a1", "q2"]);
    });

    test("refuses messages while archived also beside appends that are not refused", async () => {
      const store = await make();
      await store.sessions.create("A", { id: "a" });
      const open = store.messages("a");
      const guarded = store.messages("a", { refusesArchived: true });
      await store.sessions.update("a", { archived: true });
      const [, , refused] = await Promise.allSettled([
        open.appendMessage(user("q1")),
        open.appendMessage(assistant("a1")),
        guarded.appendMessage(user("q2")),
      ]);
      expect(refused).toMatchObject({ reason: expect.any(SessionArchivedError) });
      expect(ids(await open.getHistory())).toEqual(["q1", "a1"]);
    });

    test("names the archive, not a known id, when it refuses to continue while archived", async () => {
      const store = await make();
      await store.sessions.create("A", { id: "a" });
      await appendNumbered(store.messages("a"), 2);
      const guarded = store.messages("a", { refusesArchived: true });
      await store.sessions.update("a", { archived: true });
      await expect(
        guarded.continueAfter("m1", [assistant("m2")], { expectedLeafId: "m2" }),
      ).rejects.toThrow(SessionArchivedError);
    });

    test("moves its active leaf while archived, where messages are refused", async () => {
      const store = await make();
      await store.sessions.create("A", { id: "a" });
      await appendNumbered(store.messages("a"), 3);
      const guarded = SessionManager.create(store).refuseWhenArchived().getSession("a");
      await store.sessions.update("a", { archived: true });
      expect(await guarded.tree.stepBack()).toMatchObject({ leafId: "m2" });
      expect(await guarded.tree.continueAfter("m1", [], { expectedLeafId: "m2" })).toEqual([]);
      expect(ids(await guarded.getHistory())).toEqual(["m1"]);
      expect(await guarded.follow([user("m1"), assistant("m2")])).toMatchObject({
        appended: [],
        leafId: "m2",
        changed: true,
      });
      await guarded.tree.setActiveLeaf("m3");
      expect(ids(await guarded.getHistory())).toEqual(["m1", "m2", "m3"]);
    });

    test("must exist to be changed", async () => {
      const { sessions } = await make();
      const usage = { inputTokens: 1, outputTokens: 1, cost: 1 };
      for (const attempt of [
        () => sessions.update("nowhere", { name: "x" }),
        () => sessions.restore("nowhere"),
        () => sessions.fork("nowhere", "m1", "x"),
        () => sessions.forks("nowhere"),
        () => sessions.addUsage("nowhere", usage),
      ]) {
        await expect(attempt()).rejects.toThrow(SessionNotFoundError);
      }
    });

    test("must exist before messages are appended, and reads as empty otherwise", async () => {
      const store = await make();
      await expect(store.messages("nowhere").appendMessage(user("q1"))).rejects.toThrow(
        SessionNotFoundError,
      );
      expect(await store.messages("nowhere").getHistory()).toEqual([]);
    });

    test("shares no message with another session, equal ids included", async () => {
      const store = await make();
      await store.sessions.create("A", { id: "a" });
      await store.sessions.create("B", { id: "b" });
      await store.messages("a").appendMessage(user("q1", "in a"));
      await store.messages("b").appendMessage(user("q1", "in b"));
      expect((await store.messages("a").getMessage("q1"))?.parts[0]?.text).toBe("in a");
      expect((await store.messages("b").getMessage("q1"))?.parts[0]?.text).toBe("in b");
      await store.messages("a").appendMessage(assistant("only a"));
      await expect(store.messages("b").appendMessage(user("x"), "only a")).rejects.toThrow();
      expect(await store.messages("b").getPathLength()).toBe(1);
    });
  });

  describe("a namespace", () => {
    test("has sessions, ids, search and blocks of its own, the same each time", async () => {
      const store = await make();
      if (!store.namespace) return;
      const named = { root: store, one: store.namespace("one"), other: store.namespace("other") };
      for (const [name, each] of Object.entries(named)) {
        expect((await each.sessions.create(name, { id: "a" })).changed).toBe(true);
        await each.messages("a").appendMessage(user("q1", `apple ${name}`));
        await each.block({ label: "memory", sessionId: null }).set(name);
      }
      const again = store.namespace("one");
      expect((await again.sessions.get("a"))?.name).toBe("one");
      expect(await listed(again)).toEqual(["a"]);
      const hits = await again.sessions.search("apple");
      expect(hits.map(({ content }) => content)).toEqual(["apple one"]);
      expect(await again.block({ label: "memory", sessionId: null }).get()).toBe("one");
      await again.sessions.delete("a", { permanently: true });
      expect((await store.sessions.get("a"))?.name).toBe("root");
      expect((await named.other.sessions.get("a"))?.name).toBe("other");
      expect(() => store.namespace?.(" ")).toThrow(InvalidArgumentError);
      expect(() => store.namespace?.("a\u001fb")).toThrow(InvalidArgumentError);
    });
  });

  describe("the list of sessions", () => {
    test("is ordered by newest activity, pinned first", async () => {
      const store = await make();
      for (const id of ["a", "b", "c"]) await store.sessions.create(id, { id });
      expect(await listed(store)).toEqual(["c", "b", "a"]);
      await store.messages("a").appendMessage(user("q1"));
      expect(await listed(store)).toEqual(["a", "c", "b"]);
      await store.sessions.update("b", { pinned: true });
      expect(await listed(store)).toEqual(["b", "a", "c"]);
    });

    test("keeps its order when a leaf is activated or a session renamed", async () => {
      const store = await make();
      for (const id of ["a", "b"]) await store.sessions.create(id, { id });
      await appendNumbered(store.messages("a"), 2);
      await store.messages("b").appendMessage(user("q1"));
      await store.messages("a").setActiveLeaf("m1");
      await store.sessions.update("a", { name: "renamed" });
      expect(await listed(store)).toEqual(["b", "a"]);
    });

    test("is listed in pages that neither skip nor repeat", async () => {
      const store = await make();
      for (let n = 0; n < 7; n++) await store.sessions.create(`s${n}`, { id: `s${n}` });
      await store.sessions.update("s3", { pinned: true });
      const all = await listed(store);
      const paged: string[] = [];
      let cursor: string | null = null;
      do {
        const page = await store.sessions.list({ limit: 3, cursor: cursor ?? undefined });
        paged.push(...ids(page.sessions));
        cursor = page.nextCursor;
      } while (cursor !== null);
      expect(paged).toEqual(all);
      expect(all).toHaveLength(7);
    });

    test("separates what programs began, but for pinned sessions and forks", async () => {
      const { sessions } = await make();
      const metadata = { program: { keyId: "k1", name: "Agent" } };
      await sessions.create("Mine", { id: "mine" });
      await sessions.create("Theirs", { id: "theirs", metadata });
      await sessions.create("Pinned", { id: "pinned", metadata });
      await sessions.update("pinned", { pinned: true });
      await sessions.create("Fork", { id: "fork", metadata, parentSessionId: "theirs" });
      const idsOf = async (program?: string | null) => {
        const page = await sessions.list({ program });
        return page.sessions.map(({ id }) => id).sort();
      };
      expect(await idsOf(null)).toEqual(["fork", "mine", "pinned"]);
      expect(await idsOf("k1")).toEqual(["fork", "pinned", "theirs"]);
      expect(await idsOf("k2")).toEqual([]);
      expect(await idsOf()).toEqual(["fork", "mine", "pinned", "theirs"]);
    });

    test("separates archived sessions and filters by tag", async () => {
      const store = await make();
      await store.sessions.create("a", { id: "a", tags: ["work"] });
      await store.sessions.create("b", { id: "b", tags: ["work", "x"] });
      await store.sessions.create("c", { id: "c" });
      await store.sessions.update("b", { archived: true });
      expect(await listed(store)).toEqual(["c", "a"]);
      expect(await listed(store, { archived: true })).toEqual(["b"]);
      expect(await listed(store, { tag: "work" })).toEqual(["a"]);
    });
  });

  describe("searching across sessions", () => {
    test("leaves out logs of programs, unless they are named, pinned or forks", async () => {
      const store = await make();
      const metadata = { program: { keyId: "k1", name: "Agent", log: true } };
      for (const id of ["log", "pinned"]) await store.sessions.create(id, { id, metadata });
      await store.sessions.create("chat", { id: "chat" });
      await store.sessions.update("pinned", { pinned: true });
      for (const id of ["log", "pinned", "chat"])
        await store.messages(id).appendMessage(user(`q-${id}`, "A rare heron"));
      const found = async (line: string) =>
        (await store.sessions.search(line)).map(({ sessionId }) => sessionId).sort();
      expect(await found("heron")).toEqual(["chat", "pinned"]);
      expect(await found("heron in:log")).toEqual(["log"]);
      expect(await found("heron program:agent")).toEqual(["log", "pinned"]);
      expect(await found('heron program:"Another agent"')).toEqual([]);
      const best = await store.sessions.searchSessions("heron");
      expect(best.map(({ sessionId }) => sessionId).sort()).toEqual(["chat", "pinned"]);
      const ofProgram = await store.sessions.searchSessions("heron program:Agent");
      expect(ofProgram.map(({ sessionId }) => sessionId).sort()).toEqual(["log", "pinned"]);
    });

    test("finds messages of every session and says which", async () => {
      const store = await make();
      await store.sessions.create("Fruit", { id: "a", tags: ["food"] });
      await store.sessions.create("Pie", { id: "b" });
      await store.messages("a").appendMessage(user("q1", "ripe apples"));
      await store.messages("b").appendMessage(user("q1", "apple pie"));
      const hits = await store.sessions.search("apple");
      expect(
        hits.map(({ sessionId, id, sessionTitle }) => [sessionId, id, sessionTitle]).toSorted(),
      ).toEqual([
        ["a", "q1", "Fruit"],
        ["b", "q1", "Pie"],
      ]);
      const sessionsOf = async (query: string, tag?: string) =>
        (await store.sessions.search(query, { tag })).map(({ sessionId }) => sessionId);
      expect(await sessionsOf("apple in:b")).toEqual(["b"]);
      expect(await sessionsOf("apple tag:food")).toEqual(["a"]);
      expect(await sessionsOf("apple", "food")).toEqual(["a"]);
      expect(await sessionsOf("  ")).toEqual([]);
    });
  });
}
