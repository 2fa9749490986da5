import { describe, expect, test } from "vitest";
import type { TextWrite } from "../../block-store";
import { BlockConflictError, InvalidArgumentError } from "../../errors";
import { Session } from "../../session";
import type { MakeStore } from "./make-store";

export function blockGuarantees(make: MakeStore): void {
  describe("blocks of a store", () => {
    test("belong to the owner or to one session, and never share a key", async () => {
      const store = await make();
      await store.sessions.create("A", { id: "a" });
      await store.sessions.create("B", { id: "b" });
      const address = (label: string, scope: "owner" | "session", sessionId: string) =>
        store.block({ label, sessionId: scope === "owner" ? null : sessionId });
      await address("memory", "owner", "a").set("everywhere");
      await address("memory", "session", "a").set("in a");
      await address("todos", "session", "b").set("in b");
      expect(await address("memory", "owner", "b").get()).toBe("everywhere");
      expect(await address("memory", "session", "a").get()).toBe("in a");
      expect(await address("memory", "session", "b").get()).toBeNull();
      expect(await address("todos", "session", "a").get()).toBeNull();
      expect(await address("todos", "owner", "a").get()).toBeNull();
    });

    test("keep odd labels and texts apart", async () => {
      const store = await make();
      await store.sessions.create("A", { id: "a" });
      const block = (label: string) => store.block({ label, sessionId: null });
      await block("a:b").set("1");
      await block("a").set("2");
      await block("A:B").set("'quoted' \\ 🌳");
      expect(await block("a:b").get()).toBe("1");
      expect(await block("A:B").get()).toBe("'quoted' \\ 🌳");
    });

    test("are written together, also those never written before", async () => {
      const store = await make();
      for (const id of ["a", "b"]) await store.sessions.create(id, { id });
      const inA = store.block({ label: "memory", sessionId: "a" });
      await inA.set("one");
      await store.writeBlocks([
        { block: { label: "memory", sessionId: "a" }, content: "two", expectedVersion: 1 },
        { block: { label: "memory", sessionId: "b" }, content: "first", expectedVersion: 0 },
        { block: { label: "profile", sessionId: null }, content: "everywhere" },
      ]);
      expect(await inA.get()).toBe("two");
      expect(await store.block({ label: "memory", sessionId: "b" }).get()).toBe("first");
      expect(await store.block({ label: "profile", sessionId: null }).get()).toBe("everywhere");
      await store.writeBlocks([]);
    });

    test("stay as they are when one of them changed, and the error names each that did", async () => {
      const store = await make();
      for (const id of ["a", "b"]) await store.sessions.create(id, { id });
      const refs = ["a", "b", null].map((sessionId) => ({ label: "memory", sessionId }));
      for (const ref of refs) await store.block(ref).set("old");
      const seen = [1, 3, 0];
      const writes = refs.map((block, index): TextWrite => {
        return { block, content: "new", expectedVersion: seen[index] };
      });
      const error: unknown = await store.writeBlocks(writes).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(BlockConflictError);
      expect(error).toMatchObject({
        label: "memory",
        expectedVersion: 3,
        conflicts: [
          { label: "memory", sessionId: "b", expectedVersion: 3, currentVersion: 1 },
          { label: "memory", sessionId: null, expectedVersion: 0, currentVersion: 1 },
        ],
      });
      for (const ref of refs) expect(await store.block(ref).get()).toBe("old");
      const twice = [...writes.slice(0, 1), ...writes.slice(0, 1)];
      await expect(store.writeBlocks(twice)).rejects.toThrow(InvalidArgumentError);
    });

    test("take turns when written together by many at once: one wins each round", async () => {
      const store = await make();
      for (const id of ["a", "b"]) await store.sessions.create(id, { id });
      const refs = ["a", "b"].map((sessionId) => ({ label: "memory", sessionId }));
      const attempts = Array.from({ length: 16 }, (_, n) => {
        const ordered = n % 2 === 0 ? refs : refs.toReversed();
        return store.writeBlocks(
          ordered.map((block) => ({ block, content: `${n}`, expectedVersion: 0 })),
        );
      });
      const ended = await Promise.allSettled(attempts);
      const won = ended.findIndex(({ status }) => status === "fulfilled");
      expect(ended.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      for (const result of ended) {
        if (result.status === "rejected") expect(result.reason).toBeInstanceOf(BlockConflictError);
      }
      for (const ref of refs) expect(await store.block(ref).get()).toBe(`${won}`);
    });

    test("a frozen prompt keeps the versions it was made from until it is rendered again", async () => {
      const store = await make();
      await store.sessions.create("A", { id: "a" });
      const session = () =>
        new Session(store, { sessionId: "a", createsSession: false })
          .withContext("memory", { scope: "owner" })
          .withContext("fixed", { provider: { get: () => "always" } })
          .withCachedPrompt();
      await session().replaceContextBlock("memory", "one");
      const { prompt, versions } = await session().memory.freezeVersionedPrompt();
      expect(versions).toEqual({ memory: 1 });
      await session().replaceContextBlock("memory", "two");
      expect(await session().memory.freezeVersionedPrompt()).toEqual({ prompt, versions });
      expect(await session().freezeSystemPrompt()).toBe(prompt);
      await session().refreshSystemPrompt();
      expect(await session().memory.freezeVersionedPrompt()).toMatchObject({
        versions: { memory: 2 },
      });
    });

    test("a session keeps its own frozen prompt", async () => {
      const store = await make();
      await store.sessions.create("A", { id: "a" });
      await store.sessions.create("B", { id: "b" });
      expect(await store.promptCache("a").get()).toBeNull();
      await store.promptCache("a").set("prompt of a");
      await store.promptCache("a").set("new prompt of a");
      expect(await store.promptCache("a").get()).toBe("new prompt of a");
      expect(await store.promptCache("b").get()).toBeNull();
    });
  });
}
