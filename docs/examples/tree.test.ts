import { MessageNotFoundError, Session, type SessionStore } from "grove-session";
import { assistant, ids, user } from "grove-session/testing";
import { expect, test } from "vitest";
import { onEveryStore } from "./every-store";

async function conversation(store: SessionStore): Promise<Session> {
  const session = Session.create(store).forSession("tea");
  for (const message of [user("q1"), assistant("a1"), user("q2"), assistant("a2")]) {
    await session.appendMessage(message);
  }
  return session;
}

onEveryStore((openStore) => {
  test("branches", async () => {
    const session = Session.create(openStore());

    await session.appendMessage(user("q1", "How long does tea steep?"));
    await session.appendMessage(assistant("a1", "Three minutes."));
    await session.appendMessage(assistant("a2", "Two, if it is green."), "q1");

    const answers = await session.tree.getChildren("q1");
    const now = await session.getHistory();
    const before = await session.getHistory("a1");

    expect([answers, now, before].map(ids)).toEqual([
      ["a1", "a2"],
      ["q1", "a2"],
      ["q1", "a1"],
    ]);
  });

  test("an edited question", async () => {
    const session = await conversation(openStore());

    await session.appendMessage(user("q2-edited"), "a1");
    await session.appendMessage(user("q1-edited"), null);

    const questions = await session.tree.getSiblings("q2");
    const roots = await session.tree.getRoots();
    const leaves = await session.tree.getLeaves();

    expect([questions, roots, leaves].map(ids)).toEqual([
      ["q2", "q2-edited"],
      ["q1", "q1-edited"],
      ["a2", "q2-edited", "q1-edited"],
    ]);
    await expect(session.tree.getSiblings("nowhere")).rejects.toThrow(MessageNotFoundError);
  });

  test("undo and redo", async () => {
    const session = await conversation(openStore());

    const { passed, leafId } = await session.tree.stepBack(2);
    const undone = await session.getHistory();
    await session.tree.setActiveLeaf(passed.at(-1)?.id ?? "");

    expect([ids(passed), leafId, ids(undone)]).toEqual([["q2", "a2"], "a1", ["q1", "a1"]]);
    expect(ids(await session.getHistory())).toEqual(["q1", "a1", "q2", "a2"]);
  });

  test("a list to follow", async () => {
    const session = Session.create(openStore());
    const said = (text: string) => ({ role: "user" as const, parts: [{ type: "text", text }] });

    await session.follow([said("tea?"), said("three minutes"), said("and green?")]);
    await session.follow([said("tea?"), said("two minutes")]);
    const { changed } = await session.follow([said("tea?"), said("two minutes")]);
    const list = await session.getHistory();

    expect(changed).toBe(false);
    expect(list).toMatchObject([said("tea?"), said("two minutes")]);
    expect(await session.tree.getNodes()).toHaveLength(4);
  });

  test("the active leaf", async () => {
    const store = openStore();
    const session = await conversation(store);
    await session.appendMessage(assistant("a1-again"), "q1");

    await session.tree.setActiveLeaf(await session.tree.getLeafUnder("a1"));

    const reopened = Session.create(store).forSession("tea");
    expect((await reopened.getLatestLeaf())?.id).toBe("a2");
    await session.tree.setActiveLeaf("a1");
    await session.appendMessage(user("q3"));
    expect(ids(await session.getHistory())).toEqual(["q1", "a1", "q3"]);
    await expect(session.tree.setActiveLeaf("nowhere")).rejects.toThrow(MessageNotFoundError);
  });

  test("deleting and undoing", async () => {
    const session = await conversation(openStore());

    const { deletionId } = await session.deleteMessages(["a1"]);
    const closed = await session.getHistory();
    const under = await session.tree.getChildren("q1");
    await session.restoreMessages(deletionId);
    const restored = await session.getHistory();

    expect([closed, under, restored].map(ids)).toEqual([
      ["q1", "q2", "a2"],
      ["q2"],
      ["q1", "a1", "q2", "a2"],
    ]);
    await expect(session.restoreMessages("unknown")).rejects.toMatchObject({
      code: "deletion-not-found",
    });
  });

  test("deleting the active leaf", async () => {
    const session = await conversation(openStore());
    const { deletionId } = await session.deleteMessages(["q2", "a2"]);
    expect((await session.getLatestLeaf())?.id).toBe("a1");
    await session.restoreMessages(deletionId);
    expect((await session.getLatestLeaf())?.id).toBe("a2");
  });

  test("bookmarks", async () => {
    const session = await conversation(openStore());

    await session.tree.setPinned("q1", true);
    await session.tree.setLabel("a1", "the short answer");
    const bookmarks = (await session.tree.getNodes()).filter(({ pinned }) => pinned);
    await session.tree.setPinned("a1", false);

    expect(bookmarks).toMatchObject([
      { id: "q1", label: null },
      { id: "a1", label: "the short answer" },
    ]);
    const left = (await session.tree.getNodes()).filter(({ pinned }) => pinned);
    expect(left).toMatchObject([{ id: "q1", label: null }]);
  });

  test("the whole tree", async () => {
    const session = await conversation(openStore());
    await session.appendMessage(assistant("a1-again", "Another answer"), "q1");

    const nodes = await session.tree.getNodes();

    expect(nodes.map(({ id, parentId }) => [id, parentId])).toEqual([
      ["q1", null],
      ["a1", "q1"],
      ["q2", "a1"],
      ["a2", "q2"],
      ["a1-again", "q1"],
    ]);
    expect(nodes.at(-1)).toMatchObject({
      role: "assistant",
      preview: "Another answer",
      pinned: false,
      createdAt: expect.any(Date),
    });
  });

  test("a window", async () => {
    const session = await conversation(openStore());
    await session.appendMessage(assistant("a2-again"), "q2");

    const newest = await session.tree.getWindow({ limit: 2 });
    const [first] = newest.entries;
    const above = await session.tree.getWindow({ limit: 2, beforePosition: first?.position });

    expect(newest).toMatchObject({ hasMore: true, leafId: "a2-again" });
    expect(ids(newest.entries.map(({ message }) => message))).toEqual(["q2", "a2-again"]);
    expect(newest.entries[1]).toMatchObject({
      parentId: "q2",
      pinned: false,
      siblings: { index: 1, count: 2, previousId: "a2", nextId: null },
    });
    expect(ids(above.entries.map(({ message }) => message))).toEqual(["q1", "a1"]);
    expect(above.hasMore).toBe(false);
  });

  test("a history from its end, within a number of bytes", async () => {
    const session = Session.create(openStore());
    for (let n = 1; n <= 9; n++) await session.appendMessage(user(`m${n}`, "x".repeat(n * 100)));
    await session.addCompaction("S", "m2", "m4");
    const stop = new AbortController();

    const batches: string[][] = [];
    for await (const batch of session.tree.iterateHistory({
      order: "newest-first",
      batchSize: 3,
      maxBatchBytes: 1_700,
      signal: stop.signal,
    })) {
      batches.push(ids(batch).map((id) => id.replace(/^compaction_.*/, "summary")));
    }

    expect(batches).toEqual([["m9"], ["m8", "m7"], ["m6", "m5", "summary"], ["m1"]]);
    const aborted = Array.fromAsync(
      session.tree.iterateHistory({ signal: AbortSignal.abort("enough") }),
    );
    await expect(aborted).rejects.toBe("enough");
  });

  test("a long history", async () => {
    const session = Session.create(openStore());
    for (let n = 1; n <= 12; n++) await session.appendMessage(user(`m${n}`, "x".repeat(1_000)));

    const { messages, omittedMessages } = await session.getRecentHistory(4_000);
    let read = 0;
    for await (const batch of session.tree.iterateHistory({ batchSize: 5 })) {
      read += batch.length;
    }

    expect(messages.at(-1)?.id).toBe("m12");
    expect(messages.length).toBe(3);
    expect(omittedMessages).toBe(9);
    const rows = await session.tree.getHistoryRowStats();
    expect(rows[0]).toMatchObject({ id: "m1", role: "user", tokenEstimate: 260 });
    const sizes = rows.map(({ bytes }) => bytes);
    const totalContentBytes = sizes.reduce((sum, bytes) => sum + bytes, 0);
    expect(await session.getRecentHistory(4_000)).toMatchObject({
      truncated: true,
      totalContentBytes,
    });
    expect(await session.getRecentHistory(totalContentBytes)).toMatchObject({ truncated: false });
    expect(read).toBe(12);
    expect(ids((await session.getRecentHistory(1)).messages)).toEqual(["m12"]);
    expect((await session.getRecentHistory(1, 4)).messages).toHaveLength(4);
  });
});
