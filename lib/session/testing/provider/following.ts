import { describe, expect, test } from "vitest";
import { InvalidArgumentError } from "../../errors";
import type { ListedMessage } from "../../message";
import { appendChain, appendNumbered, assistant, ids, user } from "../builders";
import type { MakeProvider } from "./make-provider";

function said(...texts: readonly string[]): ListedMessage[] {
  return texts.map((text) => ({ role: "user", parts: [{ type: "text", text }] }));
}

export function followingGuarantees(make: MakeProvider): void {
  const following = async (...texts: readonly string[]) => {
    const provider = await make();
    await appendChain(
      provider,
      texts.map((text, n) => user(texts.indexOf(text) === n ? text : `${text}${n}`, text)),
    );
    const heard = async () =>
      (await provider.getHistory()).map(({ parts }) => String(parts[0]?.text));
    const size = async () => (await provider.getTree()).length;
    return { provider, heard, size };
  };

  describe("following a list", () => {
    test("stores it in an empty session", async () => {
      const { provider, heard } = await following();
      const { messageIds, appended, leafId, changed } = await provider.follow(said("a", "b"));
      expect(await heard()).toEqual(["a", "b"]);
      expect(ids(await provider.getHistory())).toEqual(messageIds);
      expect(appended.map(({ message, parentId }) => [message.id, parentId])).toEqual([
        [messageIds[0], null],
        [messageIds[1], messageIds[0]],
      ]);
      expect([leafId, changed]).toEqual([messageIds[1], true]);
    });

    test("appends what is new behind what is known", async () => {
      const { provider, heard } = await following("a", "b");
      const { messageIds, appended } = await provider.follow(said("a", "b", "c", "d"));
      expect(messageIds.slice(0, 2)).toEqual(["a", "b"]);
      expect(appended.map(({ parentId }) => parentId)).toEqual(["b", messageIds[2]]);
      expect(await heard()).toEqual(["a", "b", "c", "d"]);
    });

    test("changes nothing when the path reads the same", async () => {
      const { provider, size } = await following("a", "b", "c");
      const result = await provider.follow(said("a", "b", "c"));
      const messageIds = ["a", "b", "c"];
      expect(result).toEqual({ messageIds, appended: [], leafId: "c", changed: false });
      expect(await size()).toBe(3);
    });

    test("branches where the list differs, and removes nothing", async () => {
      const { provider, heard } = await following("a", "b", "c");
      await provider.follow(said("a", "x", "c"));
      expect(await heard()).toEqual(["a", "x", "c"]);
      expect(ids(await provider.getHistory("c"))).toEqual(["a", "b", "c"]);
    });

    test("moves back for a shorter list, also before the first message, and forward again", async () => {
      const { provider, heard, size } = await following("a", "b", "c");
      expect(await provider.follow(said("a"))).toMatchObject({ leafId: "a", changed: true });
      expect(await heard()).toEqual(["a"]);
      const nothing = { messageIds: [], appended: [], leafId: null };
      expect(await provider.follow([])).toEqual({ ...nothing, changed: true });
      expect(await provider.follow([])).toEqual({ ...nothing, changed: false });
      expect(await heard()).toEqual([]);
      expect(await provider.follow(said("a", "b", "c"))).toMatchObject({
        leafId: "c",
        appended: [],
      });
      expect(await size()).toBe(3);
    });

    test("takes a known branch, however often it turns off", async () => {
      const { provider, heard, size } = await following("a", "b", "c");
      await appendChain(provider, [user("b2"), user("c2"), user("d2")], "a");
      await appendChain(provider, [user("d3"), user("e3")], "c2");
      await provider.setActiveLeaf("c");
      const { appended } = await provider.follow(said("a", "b2", "c2", "d3", "e3", "new"));
      expect(appended).toHaveLength(1);
      expect(await heard()).toEqual(["a", "b2", "c2", "d3", "e3", "new"]);
      await provider.follow(said("a", "b2", "c2", "d2"));
      expect(await heard()).toEqual(["a", "b2", "c2", "d2"]);
      expect(await size()).toBe(9);
    });

    test("starts another root for another conversation, and finds it again", async () => {
      const { provider, heard, size } = await following("a", "b");
      await provider.follow(said("x", "y"));
      await provider.follow(said("a", "b"));
      await provider.follow(said("x", "y", "z"));
      expect(await heard()).toEqual(["x", "y", "z"]);
      expect(await size()).toBe(5);
    });

    test("continues after the stretch it shares when the list has lost its oldest messages", async () => {
      const { provider, heard } = await following("a", "b", "c", "d");
      const { messageIds } = await provider.follow(said("c", "d", "e"));
      expect(messageIds.slice(0, 2)).toEqual(["c", "d"]);
      expect(await heard()).toEqual(["a", "b", "c", "d", "e"]);
      expect(await provider.follow(said("d", "e"))).toMatchObject({ changed: false });
      await provider.follow(said("b", "c", "x"));
      expect(await heard()).toEqual(["a", "b", "c", "x"]);
    });

    test("prefers the end of the path to a longer stretch before it", async () => {
      const { provider, heard } = await following("x", "a", "b", "c", "y", "a");
      await provider.follow(said("a", "b", "c", "d"));
      expect(await heard()).toEqual(["x", "a", "b", "c", "y", "a", "b", "c", "d"]);
    });

    test("takes one shared message in the middle of both for a coincidence", async () => {
      const { provider, heard } = await following("a", "yes", "b");
      await provider.follow(said("yes", "c"));
      expect(await heard()).toEqual(["yes", "c"]);
    });

    test("prefers the beginning of the path to a repetition later on it", async () => {
      const { provider } = await following("a", "b", "a", "b", "c");
      const first = await provider.follow(said("a", "b"));
      expect([first.messageIds, first.changed]).toEqual([["a", "b"], true]);
      await provider.setActiveLeaf("c");
      const again = await provider.follow(said("a", "b", "a", "b", "c"));
      expect(again.changed).toBe(false);
    });

    test("compares roles and parts, whatever the order of keys, and nothing else", async () => {
      const { provider } = await following();
      const call = { type: "tool-f", toolCallId: "1", input: { a: 1, b: [{ c: 2, d: null }] } };
      const same = { input: { b: [{ d: null, c: 2 }], a: 1 }, toolCallId: "1", type: "tool-f" };
      await provider.appendMessage({
        id: "m1",
        role: "assistant",
        parts: [call],
        metadata: { a: 1 },
      });
      const known = await provider.follow([{ id: "other", role: "assistant", parts: [same] }]);
      expect([known.messageIds, known.changed]).toEqual([["m1"], false]);
      const other = await provider.follow([{ role: "user", parts: [same] }]);
      expect(other.appended).toHaveLength(1);
    });

    test("keeps the ids of new messages, and gives a new one where an id is taken", async () => {
      const { provider, heard } = await following("a", "b", "c");
      await provider.deleteMessages(["b"]);
      const list = [user("a"), user("new"), user("c", "changed"), user("b"), user("new", "twice")];
      const { messageIds } = await provider.follow(list);
      expect(await heard()).toEqual(["a", "new", "changed", "b", "twice"]);
      expect(messageIds.slice(0, 2)).toEqual(["a", "new"]);
      expect(new Set([...messageIds, "b", "c"]).size).toBe(7);
      expect(await provider.follow(list)).toMatchObject({ messageIds, changed: false });
    });

    test("compares with messages as they are after an edit or a deletion", async () => {
      const { provider, size } = await following("a", "b", "c", "d");
      await provider.updateMessage(user("a", "edited"));
      await provider.deleteMessages(["c"]);
      expect(await provider.follow(said("edited", "b", "d"))).toMatchObject({ changed: false });
      expect(await size()).toBe(3);
    });

    test("takes a summary in the list for everything before it", async () => {
      const provider = await make();
      await appendNumbered(provider, 6);
      await provider.addCompaction("S", "m2", "m4");
      const seen = await provider.getHistory();
      expect(seen).toHaveLength(4);
      expect(await provider.follow(seen)).toMatchObject({
        messageIds: ["m5", "m6"],
        changed: false,
      });
      await provider.follow([...seen, ...said("new")]);
      expect(await provider.getPathLength()).toBe(7);
      expect(await provider.getHistory()).toHaveLength(5);
    });

    test("stores a list once when it is followed many times at once", async () => {
      const { provider, heard, size } = await following("a");
      await Promise.all(Array.from({ length: 8 }, () => provider.follow(said("a", "b", "c"))));
      expect(await heard()).toEqual(["a", "b", "c"]);
      expect(await size()).toBe(3);
    });

    test("stores nothing of a list with a message that cannot be stored", async () => {
      const { provider, size } = await following("a");
      const unknown = { role: "tool", parts: [] } as unknown as ListedMessage;
      for (const wrong of [unknown, assistant(""), assistant("x".repeat(201))]) {
        await expect(provider.follow([...said("a", "b"), wrong])).rejects.toThrow(
          InvalidArgumentError,
        );
      }
      expect(await size()).toBe(1);
    });
  });
}
