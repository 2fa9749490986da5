import { describe, expect, test } from "vitest";
import { BlockConflictError, InvalidArgumentError } from "../../errors";
import { SessionManager } from "../../session-manager";
import { appendNumbered, assistant, ids, user } from "../builders";
import type { MakeStore } from "./make-store";

const call = { toolCallId: "c", messages: [], context: {} };
const blocks = { memory: "memory", synthesis: "synthesis", insight: "insight" };

export function familyGuarantees(make: MakeStore): void {
  async function family() {
    const store = await make();
    const sessions = SessionManager.create(store)
      .withContext("instructions")
      .withContext("memory")
      .withContext("synthesis")
      .withContext("insight")
      .withCachedPrompt();
    await sessions.create("Parent", { id: "p", model: "m", tags: ["t"] });
    await appendNumbered(store.messages("p"), 4);
    await sessions.getSession("p").replaceContextBlock("instructions", "Be brief.");
    return { store, sessions };
  }

  describe("children of a session", () => {
    test("start with nothing of the conversation, and with the parent's blocks", async () => {
      const { sessions } = await family();
      const child = await sessions.spawn("p", "Child", { id: "c", metadata: { topic: "tea" } });
      expect(child).toMatchObject({
        id: "c",
        name: "Child",
        parentSessionId: "p",
        model: "m",
        tags: ["t"],
        metadata: { topic: "tea" },
        messageCount: 0,
      });
      const block = await sessions.getSession("c").getContextBlock("instructions");
      expect(block?.content).toBe("Be brief.");
    });

    test("start with all of it, with what one makes of it, and with words of their own", async () => {
      const { sessions } = await family();
      await sessions.spawn("p", "All", { id: "all", context: "inherit", tags: ["x"] });
      expect(ids(await sessions.getHistory("all"))).toEqual(["m1", "m2", "m3", "m4"]);
      expect(await sessions.get("all")).toMatchObject({ tags: ["x"], parentSessionId: "p" });
      await sessions.spawn("p", "Some", {
        id: "some",
        context: (history) => history.slice(-1),
        blocks: { instructions: "Be long." },
        firstMessage: "Hello",
      });
      const [last, first] = await sessions.getHistory("some");
      expect([last?.id, first?.role, first?.parts]).toEqual([
        "m4",
        "assistant",
        [{ type: "text", text: "Hello" }],
      ]);
      const block = await sessions.getSession("some").getContextBlock("instructions");
      expect(block?.content).toBe("Be long.");
      await expect(sessions.spawn("p", "No", { blocks: { nothing: "x" } })).rejects.toThrow(
        InvalidArgumentError,
      );
      expect(ids(await sessions.children("p")).toSorted()).toEqual(["all", "some"]);
    });

    test("leave nothing behind when they cannot be made whole", async () => {
      const { sessions } = await family();
      const failures = [
        { context: () => Promise.reject(new Error("broken")) },
        { context: () => [user("m1"), user("compaction_1")] },
      ] as const;
      for (const options of failures)
        await expect(sessions.spawn("p", "Half", options)).rejects.toThrow();
      const refused = sessions.spawn("p", "Named", { id: "n", context: () => [user("")] });
      await expect(refused).rejects.toThrow(InvalidArgumentError);
      expect(ids(await sessions.list())).toEqual(["n", "p"]);
      await sessions.spawn("p", "Named", { id: "n", context: () => [user("m1")] });
      expect(ids(await sessions.getHistory("n"))).toEqual(["m1"]);
    });

    test("can be made of a session whose id is as long as any", async () => {
      const { sessions } = await family();
      const id = "p".repeat(200);
      await sessions.spawn("p", "Long", { id, firstMessage: "Hello" });
      expect(await sessions.getMessageCount(id)).toBe(1);
      const split = await sessions.compactAndSplit(id, { summary: "They said hello." });
      expect(await sessions.getMessageCount(split.id)).toBe(1);
    });

    test("can be made by the model", async () => {
      const { sessions } = await family();
      const tool = sessions.tools({ parentSessionId: "p" }).create_session;
      const said = await tool?.execute?.({ name: "Aside", first_message: "Hello" }, call);
      const [child] = await sessions.children("p");
      expect(said).toBe(`Created session "Aside" (${child?.id}).`);
      expect(child?.messageCount).toBe(1);
      expect(sessions.tools()).not.toHaveProperty("create_session");
    });

    test("have their memories combined, and receive the result once", async () => {
      const { sessions } = await family();
      for (const id of ["a", "b", "c"]) await sessions.spawn("p", id.toUpperCase(), { id });
      const a = sessions.getSession("a");
      await a.appendMessages([user("q1", "Tea or coffee?"), assistant("a1", "Tea.")]);
      await a.memory.consolidate(
        "memory",
        (memory, history) => `${memory}: ${history.length} messages`,
      );
      await sessions.getSession("b").replaceContextBlock("memory", "likes coffee");
      await a.freezeSystemPrompt();
      const heard: unknown[] = [];
      await sessions.integrate("p", blocks, (children, synthesis) => {
        heard.push(synthesis, ...children.toSorted((x, y) => (x.name < y.name ? -1 : 1)));
        return { synthesis: "both", insights: [{ sessionId: "a", content: "b likes coffee" }] };
      });
      expect(heard).toEqual([
        null,
        { sessionId: "a", name: "A", memory: "null: 2 messages" },
        { sessionId: "b", name: "B", memory: "likes coffee" },
      ]);
      expect(await sessions.getSession("p").getContextBlock("synthesis")).toMatchObject({
        content: "both",
      });
      expect(await a.freezeSystemPrompt()).toContain("b likes coffee");
      expect(await a.memory.take("insight")).toBe("b likes coffee");
      expect(await a.memory.take("insight")).toBeNull();
    });

    test("no insight reaches a session that is no child, and nothing is written then", async () => {
      const { sessions } = await family();
      await sessions.create("Stranger", { id: "s" });
      const insights = [{ sessionId: "s", content: "x" }];
      await expect(
        sessions.integrate("p", blocks, () => ({ synthesis: "y", insights })),
      ).rejects.toThrow(InvalidArgumentError);
      const block = await sessions.getSession("p").getContextBlock("synthesis");
      expect(block?.content).toBe("");
    });

    test("synthesis and insights are written together or not at all", async () => {
      const { sessions } = await family();
      for (const id of ["a", "b"]) await sessions.spawn("p", id, { id, blocks: { memory: id } });
      const b = sessions.getSession("b");
      await b.replaceContextBlock("insight", "old");
      const insights = ["a", "b"].map((sessionId) => ({ sessionId, content: "new" }));
      const integrating = (meanwhile: () => Promise<unknown>) =>
        sessions.integrate("p", blocks, async () => {
          await meanwhile();
          return { synthesis: "all", insights };
        });
      const written = () => b.replaceContextBlock("insight", "by a person");
      await expect(integrating(written)).rejects.toMatchObject({
        code: "block-conflict",
        conflicts: [{ label: "insight", sessionId: "b" }],
      });
      const contents = async () => [
        (await sessions.getSession("p").getContextBlock("synthesis"))?.content,
        (await sessions.getSession("a").getContextBlock("insight"))?.content,
        (await b.getContextBlock("insight"))?.content,
      ];
      expect(await contents()).toEqual(["", "", "by a person"]);
      await integrating(() => b.memory.take("insight"));
      expect(await contents()).toEqual(["all", "new", "new"]);
    });

    test("memories of all descendants, or of sessions with a tag, can be combined", async () => {
      const { sessions } = await family();
      const spawn = (parent: string, id: string, tags: string[] = []) =>
        sessions.spawn(parent, id, { id, tags, blocks: { memory: id } });
      await spawn("p", "child");
      await spawn("child", "grandchild", ["tea"]);
      await sessions.create("Elsewhere", { id: "elsewhere", tags: ["tea"] });
      await sessions.getSession("elsewhere").replaceContextBlock("memory", "elsewhere");
      const combined = async (over?: "children" | "descendants" | { tag: string }) => {
        const seen: string[] = [];
        await sessions.integrate(
          "p",
          blocks,
          (found) => {
            seen.push(...found.map(({ sessionId }) => sessionId));
            return { synthesis: "x", insights: [] };
          },
          { over },
        );
        return seen.toSorted();
      };
      expect(await combined()).toEqual(["child"]);
      expect(await combined("descendants")).toEqual(["child", "grandchild"]);
      expect(await combined({ tag: "tea" })).toEqual(["elsewhere", "grandchild"]);
      expect(ids(await sessions.descendants("p")).toSorted()).toEqual(["child", "grandchild"]);
    });

    test("consolidating yields to a concurrent writer of the block", async () => {
      const { sessions } = await family();
      const session = sessions.getSession("p");
      const writing = session.memory.consolidate("memory", async () => {
        await session.replaceContextBlock("memory", "by a person");
        return "by the model";
      });
      await expect(writing).rejects.toThrow(BlockConflictError);
      expect((await session.getContextBlock("memory"))?.content).toBe("by a person");
    });
  });

  describe("sessions that expire", () => {
    test("are those nothing happened in for long; pinned ones stay, and each can be restored", async () => {
      const { store } = await family();
      await store.sessions.create("Pinned", { id: "pinned" });
      await store.sessions.update("pinned", { pinned: true });
      expect(await store.sessions.expire(3_600_000)).toEqual([]);
      // Every session has been idle for more than minus one minute.
      expect(await store.sessions.expire(-60_000)).toEqual(["p"]);
      expect(await store.sessions.get("p")).toBeNull();
      expect(await store.sessions.search("m1")).toEqual([]);
      expect(ids((await store.sessions.list()).sessions)).toEqual(["pinned"]);
      await store.sessions.restore("p");
      expect(await store.sessions.expire(3_600_000)).toEqual([]);
      expect((await store.sessions.get("p"))?.messageCount).toBe(4);
    });
  });

  describe("the newest messages", () => {
    test("are read as stored, limited in number, by role, or after skipping some", async () => {
      const { sessions, store } = await family();
      const session = sessions.getSession("p");
      await store.messages("p").addCompaction("S", "m1", "m2");
      expect(ids(await session.getLatestMessages(3))).toEqual(["m2", "m3", "m4"]);
      expect(ids(await session.getLatestMessages(2, { role: "user" }))).toEqual(["m1", "m3"]);
      expect(ids(await session.getLatestMessages(2, { skip: 1 }))).toEqual(["m2", "m3"]);
      expect(ids(await session.getLatestMessages(9, { leafId: "m2" }))).toEqual(["m1", "m2"]);
      expect(await session.getLatestMessages(0)).toEqual([]);
    });

    test("can be taken off one by one, or be all that is kept, and come back", async () => {
      const { sessions } = await family();
      const session = sessions.getSession("p");
      const popped = await session.deleteLatestMessage();
      expect(popped?.message.id).toBe("m4");
      await session.appendMessage(assistant("b4"));
      expect(ids(await session.getHistory())).toEqual(["m1", "m2", "m3", "b4"]);
      const { deletionId, messageIds } = await session.keepLatestMessages(2);
      expect(messageIds.toSorted()).toEqual(["m1", "m2"]);
      expect(ids(await session.getHistory())).toEqual(["m3", "b4"]);
      await session.restoreMessages(deletionId);
      expect(ids(await session.getHistory())).toEqual(["m1", "m2", "m3", "b4"]);
      await session.clearMessages();
      expect(await session.deleteLatestMessage()).toBeNull();
    });
  });
}
