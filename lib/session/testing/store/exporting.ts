import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isFrozenPromptProvider } from "../../context-provider";
import { ExportDamagedError, SessionExistsError, SessionNotFoundError } from "../../errors";
import type { ExportedSession } from "../../portable/session-records";
import { parseSessionText, sessionText } from "../../portable/session-text";
import type { NewProposal } from "../../proposals";
import type { SessionStore } from "../../session-store";
import { appendChain, assistant, ids, toolCall, user } from "../builders";
import { growTrees } from "../programs/run-tree-program";
import { treePrograms } from "../programs/tree-program";
import { shownBy } from "../shown-by";
import type { MakeStore } from "./make-store";

/** A session with a branch, a summary, marks, a tool call, a loaded skill, memory and a frozen prompt. */
async function furnished(store: SessionStore): Promise<void> {
  await store.sessions.create("Tea", { id: "tea", tags: ["drinks"], metadata: { color: "green" } });
  const messages = store.messages("tea");
  const call = toolCall("steep", { z: 1, a: [null] }, { minutes: 3 });
  const odd = {
    ...user("q2", "Half \ud800, nothing \u0000, 🌳"),
    metadata: "any value",
    name: "Ada",
  };
  await appendChain(messages, [user("q1"), assistant("a1", "Three", call), odd, assistant("a2")]);
  await messages.appendMessage(user("b1"), "a1");
  await messages.addCompaction("The beginning", "q1", "a1", { tokensBefore: 9, author: "model" });
  await messages.setPinned("q1", true);
  await messages.setLabel("b1", "other way");
  await messages.recordSkillEvent({ label: "skills", key: "brew" }, "load");
  await messages.setActiveLeaf("a2");
  await store.sessions.addUsage("tea", { inputTokens: 5, outputTokens: 2, cost: 0.5 });
  await store.sessions.update("tea", { pinned: true });
  const todos = store.block({ label: "todos", sessionId: "tea" });
  await todos.set("- drink", { provenance: { author: "model", messageId: "a1" } });
  await todos.set("- drink\n- rest", { provenance: { author: "program", program: "Cursor" } });
  await store.promptCache("tea").set("You are helpful.");
}

const proposal: NewProposal = {
  sessionId: "tea",
  messageId: "a1",
  program: null,
  blockId: "todos",
  key: null,
  title: null,
  description: null,
  action: "append",
  content: "- sleep",
  baseVersion: 2,
};

/** A round trip through text, as in an archive. */
const reread = (exported: ExportedSession) => parseSessionText(sessionText(exported));

/** A gap may be anywhere before its children. */
function withGapsLast({ messages, ...exported }: ExportedSession) {
  const shown = messages.filter(({ type }) => type === "message");
  const gaps = messages.filter(({ type }) => type === "gap");
  return {
    ...exported,
    shown,
    gaps: gaps.sort((first, second) => (first.id < second.id ? -1 : 1)),
  };
}

export function exportingGuarantees(make: MakeStore): void {
  describe("an exported session", () => {
    test("shows the same in another store", async () => {
      const [store, other] = [await make(), await make()];
      await furnished(store);
      const info = await other.sessions.import(reread(await store.sessions.export("tea")));
      expect(info).toMatchObject({ id: "tea", name: "Tea", messageCount: 5, changed: true });
      expect(await shownBy(other, "tea", ["todos"])).toEqual(
        await shownBy(store, "tea", ["todos"]),
      );
      expect(ids(await other.sessions.search("nothing"))).toEqual(["q2"]);
    });

    test("keeps the order in which its branches were last used", async () => {
      const [store, other] = [await make(), await make()];
      await furnished(store);
      await store.messages("tea").setActiveLeaf("b1");
      await store.messages("tea").setActiveLeaf("a2");
      await other.sessions.import(reread(await store.sessions.export("tea")));
      expect(await other.messages("tea").getLeafUnder("q1")).toBe("a2");
      await store.messages("tea").setActiveLeaf("b1");
      const again = await make();
      await again.sessions.import(reread(await store.sessions.export("tea")));
      expect(await again.messages("tea").getLeafUnder("q1")).toBe("b1");
    });

    test("is the same data when exported again", async () => {
      const [store, other] = [await make(), await make()];
      await furnished(store);
      const exported = await store.sessions.export("tea");
      await other.sessions.import(reread(exported));
      expect(await other.sessions.export("tea")).toEqual(exported);
    });

    test("of any tree shows the same tree", async () => {
      const property = fc.asyncProperty(treePrograms(40), async (program) => {
        const [store, other] = [await make(), await make()];
        await growTrees(store, program);
        for (const { id } of (await store.sessions.list()).sessions) {
          const exported = await store.sessions.export(id);
          await other.sessions.import(reread(exported));
          expect(await shownBy(other, id)).toEqual(await shownBy(store, id));
          expect(withGapsLast(await other.sessions.export(id))).toEqual(withGapsLast(exported));
        }
      });
      await fc.assert(property, { numRuns: 3 });
    }, 300_000);

    test("has gaps only where the summaries it keeps end", async () => {
      const store = await make();
      await store.sessions.create("Tea", { id: "tea" });
      const messages = store.messages("tea");
      await appendChain(messages, [user("q1"), assistant("a1")]);
      await messages.appendMessage(assistant("b1"), "q1");
      await messages.addCompaction("The beginning", "q1", "a1");
      await messages.deleteMessages(["q1", "a1"]);
      const exported = await store.sessions.export("tea");
      expect(exported.messages.map(({ id, parentId }) => [id, parentId])).toEqual([["b1", null]]);
      expect(exported.compactions).toEqual([]);
    });

    test("keeps the versions of a frozen prompt", async () => {
      const [store, other] = [await make(), await make()];
      await store.sessions.create("Tea", { id: "tea" });
      const [cache, copy] = [store.promptCache("tea"), other.promptCache("tea")];
      if (!isFrozenPromptProvider(cache) || !isFrozenPromptProvider(copy)) return;
      const frozen = { prompt: "You are helpful.", versions: { todos: 2, memory: 1 } };
      await cache.setFrozen(frozen);
      await other.sessions.import(reread(await store.sessions.export("tea")));
      expect(await other.promptCache("tea").get()).toBe(frozen.prompt);
      const kept = other.promptCache("tea");
      expect(isFrozenPromptProvider(kept) && (await kept.readFrozen())).toEqual(frozen);
    });

    test("pins what an earlier version labelled alone", async () => {
      const [store, other] = [await make(), await make()];
      await furnished(store);
      const { messages, ...rest } = await store.sessions.export("tea");
      const unpinned = messages.map((each) =>
        each.type === "message" ? { ...each, pinned: false } : each,
      );
      await other.sessions.import({ ...rest, messages: unpinned });
      const pinned = (await other.messages("tea").getTree()).filter((each) => each.pinned);
      expect(pinned).toMatchObject([{ id: "b1", label: "other way" }]);
    });

    test("continues and branches like any other", async () => {
      const [store, other] = [await make(), await make()];
      await furnished(store);
      await other.sessions.import(await store.sessions.export("tea"));
      const messages = other.messages("tea");
      await messages.appendMessage(user("q3"));
      await messages.appendMessage(user("c1"), "q1");
      expect(ids(await messages.getBranches("a2"))).toEqual(["q3"]);
      expect(ids(await messages.getBranches("q1"))).toEqual(["a1", "c1"]);
      await other.block({ label: "todos", sessionId: "tea" }).set("- sleep");
      expect(await other.block({ label: "todos", sessionId: "tea" }).get()).toBe("- sleep");
    });

    test("replaces the deleted session of its id, and forks keep what they show", async () => {
      const store = await make();
      await furnished(store);
      await store.sessions.fork("tea", "a2", "Fork", { id: "fork", withSideBranches: true });
      const exported = await store.sessions.export("tea");
      const [before, fork] = [await shownBy(store, "tea", ["todos"]), await shownBy(store, "fork")];
      await store.messages("tea").appendMessage(user("later"));
      await store.proposals.add(proposal);
      await store.sessions.delete("tea");
      await store.sessions.import(exported);
      expect(await store.proposals.list()).toEqual([]);
      expect(await shownBy(store, "tea", ["todos"])).toEqual(before);
      expect(await shownBy(store, "fork")).toEqual(fork);
      await store.messages("tea").clearMessages();
      expect(await shownBy(store, "fork")).toEqual(fork);
    });

    test("is refused while a session has its id, which stays as it is", async () => {
      const store = await make();
      await furnished(store);
      const exported = await store.sessions.export("tea");
      await store.messages("tea").appendMessage(user("later"));
      const before = await shownBy(store, "tea", ["todos"]);
      await expect(store.sessions.import(exported)).rejects.toThrow(SessionExistsError);
      expect(await shownBy(store, "tea", ["todos"])).toEqual(before);
    });

    test("is refused when its records make no tree, and nothing is stored", async () => {
      const [store, other] = [await make(), await make()];
      await furnished(store);
      const exported = await store.sessions.export("tea");
      const orphan = { ...exported, messages: exported.messages.slice(1) };
      await expect(other.sessions.import(orphan)).rejects.toThrow(ExportDamagedError);
      expect(await other.sessions.get("tea")).toBeNull();
      await other.sessions.import(exported);
    });

    test("is stored once by calls at the same time", async () => {
      const [store, other] = [await make(), await make()];
      await furnished(store);
      const exported = await store.sessions.export("tea");
      const calls = await Promise.allSettled(
        Array.from({ length: 4 }, () => other.sessions.import(exported)),
      );
      const refused = calls.filter(({ status }) => status === "rejected");
      expect(refused.map((call) => "reason" in call && (call.reason as Error).name)).toEqual(
        Array(3).fill("SessionExistsError"),
      );
      expect(await shownBy(other, "tea", ["todos"])).toEqual(
        await shownBy(store, "tea", ["todos"]),
      );
    });

    test("has no memory of other sessions", async () => {
      const store = await make();
      await furnished(store);
      await store.sessions.create("Other", { id: "other" });
      await store.block({ label: "todos", sessionId: "other" }).set("CANARY");
      await store.block({ label: "memory", sessionId: null }).set("CANARY");
      expect(sessionText(await store.sessions.export("tea"))).not.toContain("CANARY");
    });

    test("of an unknown or deleted session is an error", async () => {
      const store = await make();
      await furnished(store);
      await store.sessions.delete("tea");
      await expect(store.sessions.export("tea")).rejects.toThrow(SessionNotFoundError);
      await expect(store.sessions.export("nowhere")).rejects.toThrow(SessionNotFoundError);
    });
  });
}
