import { describe, expect, test } from "vitest";
import { InvalidArgumentError, MessageConflictError, MessageNotFoundError } from "../../errors";
import type { SessionMessage } from "../../message";
import { appendNumbered, assistant, ids, user } from "../builders";
import type { MakeProvider } from "./make-provider";

const numbered = (name: string, count: number) =>
  Array.from({ length: count }, (_, n) => `${name}-${n}`);

export function appendingGuarantees(make: MakeProvider): void {
  describe("appending", () => {
    test("an empty session has no history, no leaf and no length", async () => {
      const provider = await make();
      expect(await provider.getHistory()).toEqual([]);
      expect(await provider.getLatestLeaf()).toBeNull();
      expect(await provider.getPathLength()).toBe(0);
      expect(await provider.getMessage("m1")).toBeNull();
      expect(await provider.getWindow()).toEqual({ entries: [], leafId: null, hasMore: false });
      expect(await provider.getTree()).toEqual([]);
    });

    test("continues the active leaf when no parent is given", async () => {
      const provider = await make();
      await appendNumbered(provider, 4);
      expect(ids(await provider.getHistory())).toEqual(["m1", "m2", "m3", "m4"]);
      expect((await provider.getLatestLeaf())?.id).toBe("m4");
      expect(await provider.getPathLength()).toBe(4);
    });

    test("returns messages as stored, metadata and odd text included", async () => {
      const provider = await make();
      const createdAt = new Date("2026-02-03T04:05:06.789Z");
      const parts = [
        { type: "text", text: "zero \u0000 and lone \ud800, quotes ' \" \\ and 🌳" },
        { type: "data-plan", data: { steps: [1, null, { done: false }] } },
      ];
      const message = {
        id: "m 1/é",
        role: "system",
        parts,
        metadata: { model: "m", tags: ["a"] },
        createdAt,
      } as const;
      const result = await provider.appendMessage(message);
      expect(result).toEqual({ inserted: true, message, parentId: null });
      expect(await provider.getMessage("m 1/é")).toEqual(message);
      expect(await provider.getHistory()).toEqual([message]);
    });

    test("dates a message that has no time", async () => {
      const provider = await make();
      const { message } = await provider.appendMessage(user("m1"));
      expect(message.createdAt).toBeInstanceOf(Date);
      expect((await provider.getMessage("m1"))?.createdAt).toEqual(message.createdAt);
    });

    test("orders by position, not by time", async () => {
      const provider = await make();
      await provider.appendMessage({ ...user("m1"), createdAt: new Date("2030-01-01") });
      await provider.appendMessage({ ...assistant("m2"), createdAt: new Date("2020-01-01") });
      expect(ids(await provider.getHistory())).toEqual(["m1", "m2"]);
    });

    test("adds a message under a given parent, which makes a branch", async () => {
      const provider = await make();
      await appendNumbered(provider, 3);
      const result = await provider.appendMessage(user("other"), "m2");
      expect(result.parentId).toBe("m2");
      expect(ids(await provider.getHistory())).toEqual(["m1", "m2", "other"]);
      expect(ids(await provider.getHistory("m3"))).toEqual(["m1", "m2", "m3"]);
      expect(ids(await provider.getBranches("m2"))).toEqual(["m3", "other"]);
    });

    test("starts another root with a parent of null", async () => {
      const provider = await make();
      await appendNumbered(provider, 2);
      await provider.appendMessage(user("again"), null);
      expect(ids(await provider.getHistory())).toEqual(["again"]);
      expect(ids(await provider.getRoots())).toEqual(["m1", "again"]);
    });

    test("ignores a second append of the same message, active leaf included", async () => {
      const provider = await make();
      await appendNumbered(provider, 3);
      const again = await provider.appendMessage(user("m1"), "m3");
      expect(again).toMatchObject({ inserted: false, parentId: null, message: { id: "m1" } });
      expect(ids(await provider.getHistory())).toEqual(["m1", "m2", "m3"]);
      expect((await provider.appendMessage(assistant("m2"))).parentId).toBe("m1");
      expect((await provider.getLatestLeaf())?.id).toBe("m3");
    });

    test("refuses an id that exists with another body or role", async () => {
      const provider = await make();
      await appendNumbered(provider, 2);
      await expect(provider.appendMessage(user("m1", "other"))).rejects.toThrow(
        MessageConflictError,
      );
      await expect(provider.appendMessage(assistant("m1"))).rejects.toThrow(MessageConflictError);
      expect(await provider.getPathLength()).toBe(2);
    });

    test("refuses the id of a deleted message", async () => {
      const provider = await make();
      await appendNumbered(provider, 2);
      await provider.deleteMessages(["m2"]);
      await expect(provider.appendMessage(assistant("m2"))).rejects.toThrow(MessageConflictError);
    });

    test("refuses an unknown parent, a deleted parent and itself as parent, storing nothing", async () => {
      const provider = await make();
      await appendNumbered(provider, 2);
      await provider.deleteMessages(["m2"]);
      for (const parent of ["unknown", "m2", "x"]) {
        await expect(provider.appendMessage(user("x"), parent)).rejects.toThrow(
          MessageNotFoundError,
        );
      }
      expect(await provider.getMessage("x")).toBeNull();
      expect(ids(await provider.getHistory())).toEqual(["m1"]);
    });

    test("refuses ids that no message can have", async () => {
      const provider = await make();
      for (const id of ["", "compaction_1", "x".repeat(201), "x".repeat(512)]) {
        await expect(provider.appendMessage(user(id))).rejects.toThrow(InvalidArgumentError);
        await expect(provider.updateMessage(user(id))).rejects.toThrow(InvalidArgumentError);
        expect(await provider.getMessage(id)).toBeNull();
      }
      const undated = { ...user("m1"), createdAt: new Date("never") };
      await expect(provider.appendMessage(undated)).rejects.toThrow(InvalidArgumentError);
    });

    test("takes other metadata and fields for a conflict, and another order of keys for none", async () => {
      const provider = await make();
      const message = { ...user("m1"), metadata: { a: 1, b: { c: 2, d: 3 } }, tags: ["x"] };
      await provider.appendMessage(message);
      const reordered = { tags: ["x"], ...user("m1"), metadata: { b: { d: 3, c: 2 }, a: 1 } };
      expect((await provider.appendMessage(reordered)).inserted).toBe(false);
      for (const other of [
        { ...message, metadata: { a: 1 } },
        { ...message, tags: [] },
      ]) {
        await expect(provider.appendMessage(other)).rejects.toThrow(MessageConflictError);
      }
    });

    test("keeps fields of other formats", async () => {
      const provider = await make();
      const createdAt = new Date("2026-01-02");
      const message = { ...user("m1"), createdAt, annotations: [{ a: 1 }], content: "m1" };
      expect((await provider.appendMessage(message)).message).toEqual(message);
      expect(await provider.getMessage("m1")).toEqual(message);
      expect((await provider.getWindow()).entries[0]?.message).toEqual(message);
      const update = { ...user("m1"), content: "new" };
      await provider.updateMessage(update);
      expect(await provider.getHistory()).toEqual([{ ...update, createdAt }]);
    });

    test("keeps concurrent appends in one chain and loses none", async () => {
      const provider = await make();
      await provider.appendMessage(user("m0"));
      const names = Array.from({ length: 16 }, (_, n) => `c${n}`);
      await Promise.all(names.map((name) => provider.appendMessage(user(name))));
      expect(await provider.getPathLength()).toBe(17);
      expect(ids(await provider.getHistory()).toSorted()).toEqual(["m0", ...names].toSorted());
    });

    test("keeps 64 writers of 8 messages in one line, each writer's messages together", async () => {
      const provider = await make();
      const chains = numbered("w", 64).map((writer) => numbered(writer, 8));
      await Promise.all(
        chains.map((chain) => provider.appendMessages(chain.map((id) => user(id)))),
      );
      const history = ids(await provider.getHistory());
      expect(history).toHaveLength(512);
      const starts = chains.map(([first = ""]) => history.indexOf(first));
      expect(starts.map((start) => history.slice(start, start + 8))).toEqual(chains);
    });

    test("stores a message once when it is appended many times at once", async () => {
      const provider = await make();
      const results = await Promise.all(
        Array.from({ length: 8 }, () => provider.appendMessage(user("m1"))),
      );
      expect(results.filter(({ inserted }) => inserted)).toHaveLength(1);
      expect(await provider.getPathLength()).toBe(1);
    });
  });

  describe("appending a chain", () => {
    test("puts each message under the one before it", async () => {
      const provider = await make();
      await appendNumbered(provider, 2);
      const results = await provider.appendMessages([user("a"), assistant("b"), user("c")]);
      expect(results.map(({ inserted, parentId }) => [inserted, parentId])).toEqual([
        [true, "m2"],
        [true, "a"],
        [true, "b"],
      ]);
      const history = await provider.getHistory();
      expect(history.slice(2)).toEqual(results.map(({ message }) => message));
      expect((await provider.getLatestLeaf())?.id).toBe("c");
    });

    test("starts under a given message, or as another root", async () => {
      const provider = await make();
      await appendNumbered(provider, 3);
      await provider.appendMessages([assistant("b2"), user("b3")], "m1");
      expect(ids(await provider.getHistory())).toEqual(["m1", "b2", "b3"]);
      await provider.appendMessages([user("r1"), assistant("r2")], null);
      expect(ids(await provider.getHistory())).toEqual(["r1", "r2"]);
    });

    test("leaves the active leaf alone with activate false, and moves it with it when it follows", async () => {
      const provider = await make();
      await appendNumbered(provider, 2);
      await provider.appendMessages([user("a"), user("b")], "m2", { activate: false });
      expect(ids(await provider.getHistory())).toEqual(["m1", "m2"]);
      expect(ids(await provider.getHistory("b"))).toEqual(["m1", "m2", "a", "b"]);
      await provider.appendMessages([user("c"), user("d")], "m2", { activate: "follow" });
      await provider.appendMessages([user("e"), user("f")], "m1", { activate: "follow" });
      expect(ids(await provider.getHistory())).toEqual(["m1", "m2", "c", "d"]);
      expect(ids(await provider.getHistory("f"))).toEqual(["m1", "e", "f"]);
    });

    test("stores nothing again when it is repeated", async () => {
      const provider = await make();
      await provider.appendMessages([user("a"), user("b")]);
      await provider.setActiveLeaf("a");
      const again = await provider.appendMessages([user("a"), user("b")]);
      expect(again.map(({ inserted, parentId }) => [inserted, parentId])).toEqual([
        [false, null],
        [false, "a"],
      ]);
      expect(ids(await provider.getHistory())).toEqual(["a"]);
      expect(await provider.getTree()).toHaveLength(2);
    });

    test("stores only what is missing when it is repeated with more", async () => {
      const provider = await make();
      await provider.appendMessages([user("a"), user("c")]);
      await provider.appendMessage(user("side"), "a");
      const results = await provider.appendMessages([user("a"), user("b"), user("c"), user("d")]);
      expect(results.map(({ inserted, parentId }) => [inserted, parentId])).toEqual([
        [false, null],
        [true, "a"],
        [false, "a"],
        [true, "c"],
      ]);
      expect(ids(await provider.getHistory())).toEqual(["a", "c", "d"]);
    });

    test("stores nothing when one of its messages is refused", async () => {
      const provider = await make();
      await appendNumbered(provider, 2);
      const { deletionId } = await provider.deleteMessages(["m2"]);
      const chains: [SessionMessage[], string | null | undefined, new (...args: never) => Error][] =
        [
          [[user("a"), user("m1", "other")], undefined, MessageConflictError],
          [[user("a"), assistant("m2")], undefined, MessageConflictError],
          [[user("a"), user("b")], "nowhere", MessageNotFoundError],
          [[user("a"), user("b")], "b", MessageNotFoundError],
          [[user("a"), user("b"), user("a")], undefined, InvalidArgumentError],
          [[user("a"), user("")], undefined, InvalidArgumentError],
        ];
      for (const [chain, parentId, error] of chains) {
        await expect(provider.appendMessages(chain, parentId)).rejects.toThrow(error);
      }
      await provider.restoreMessages(deletionId);
      expect((await provider.getTree()).map(({ id }) => id)).toEqual(["m1", "m2"]);
    });

    test("does nothing without messages", async () => {
      const provider = await make();
      expect(await provider.appendMessages([])).toEqual([]);
      expect(await provider.getTree()).toEqual([]);
    });
  });
}
