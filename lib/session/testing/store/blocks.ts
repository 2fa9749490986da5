import { describe, expect, test } from "vitest";
import { Session } from "@/lib/session/session";
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

    test("a frozen prompt keeps the versions it was made from until it is rendered again", async () => {
      const store = await make();
      await store.sessions.create("A", { id: "a" });
      const session = () =>
        new Session(store, { sessionId: "a", createsSession: false })
          .withContext("memory", { scope: "owner" })
          .withContext("fixed", { provider: { get: () => "always" } })
          .withCachedPrompt();
      await session().replaceContextBlock("memory", "one");
      const { prompt, versions } = await session().freezeVersionedPrompt();
      expect(versions).toEqual({ memory: 1 });
      await session().replaceContextBlock("memory", "two");
      expect(await session().freezeVersionedPrompt()).toEqual({ prompt, versions });
      expect(await session().freezeSystemPrompt()).toBe(prompt);
      await session().refreshSystemPrompt();
      expect(await session().freezeVersionedPrompt()).toMatchObject({ versions: { memory: 2 } });
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
