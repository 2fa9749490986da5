import { describe, expect, test } from "vitest";
import type {
  EntryProvider,
  SearchProvider,
  SkillProvider,
  VersionedContextProvider,
} from "../context-provider";
import { emittingBlock, entryEvents } from "../emitting";
import { BlockConflictError } from "../errors";
import type { NewSessionEvent } from "../events";
import type { MaybePromise } from "../session-provider";
import { type CallOfEveryMethod, describeEmitting } from "./describe-emitting";
import { describeReadableSkills, describeWritableSkills } from "./describe-skill-blocks";

type Make<Provider> = () => MaybePromise<Provider>;
type WritableEntries<Provider> = Provider extends unknown
  ? Required<Omit<Provider, "init">> & EntryProvider
  : never;

const person = { author: "person" } as const;
const model = { author: "model", sessionId: "s1", messageId: "m1" } as const;

/** Contract of a versioned writable document. `make` returns one never written before. */
export function describeVersionedBlock(name: string, make: Make<VersionedContextProvider>): void {
  describe(`${name} meets the contract of a versioned block:`, () => {
    test("has no content before the first write", async () => {
      const block = await make();
      expect(await block.get()).toBeNull();
      expect(await block.read()).toEqual({ content: "", version: 0 });
      expect(await block.versions()).toEqual([]);
    });

    test("gives back the newest content and keeps every version with its writer", async () => {
      const block = await make();
      await block.set("one", { provenance: person });
      await block.set("two", { provenance: model });
      expect(await block.get()).toBe("two");
      expect(await block.read()).toEqual({ content: "two", version: 2 });
      expect(await block.versions()).toEqual([
        { version: 2, content: "two", provenance: model, createdAt: expect.any(Date) },
        { version: 1, content: "one", provenance: person, createdAt: expect.any(Date) },
      ]);
      expect(await block.versions({ limit: 1 })).toHaveLength(1);
    });

    test("refuses a write based on an older version", async () => {
      const block = await make();
      await block.set("one", { expectedVersion: 0 });
      await expect(block.set("other", { expectedVersion: 0 })).rejects.toThrow(BlockConflictError);
      await block.set("two", { expectedVersion: 1 });
      expect(await block.read()).toEqual({ content: "two", version: 2 });
    });

    test("lets exactly one of many writers of one version through", async () => {
      const block = await make();
      await block.set("start");
      const attempts = await Promise.allSettled(
        Array.from({ length: 8 }, (_, n) => block.set(`writer ${n}`, { expectedVersion: 1 })),
      );
      expect(attempts.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      expect((await block.read()).version).toBe(2);
    });
  });
}

function entryGuarantees(make: Make<WritableEntries<SkillProvider | SearchProvider>>): void {
  test("lists, reads, versions and removes entries", async () => {
    const block = await make();
    await block.set("b", "second", "B's", { provenance: model, title: "Bee" });
    await block.set("a", "first");
    expect(await block.entries()).toMatchObject([
      { key: "a", content: "first", description: null, version: 1 },
      { key: "b", content: "second", description: "B's", version: 1 },
    ]);
    await block.set("b", "changed");
    expect(await block.entry("b")).toMatchObject({
      content: "changed",
      description: "B's",
      version: 2,
    });
    await block.remove("b", { provenance: person });
    expect(await block.entry("b")).toBeNull();
    expect((await block.entries()).map(({ key }) => key)).toEqual(["a"]);
    const versions = await block.entryVersions("b");
    expect(
      versions.map(({ version, content, provenance }) => [version, content, provenance.author]),
    ).toEqual([
      [3, null, "person"],
      [2, "changed", expect.any(String)],
      [1, "second", "model"],
    ]);
    await block.set("b", "again");
    expect(await block.entry("b")).toMatchObject({ content: "again", version: 4 });
  });

  test("stores an empty description as none", async () => {
    const block = await make();
    await block.set("a", "first", "");
    await block.set("b", "second", "B's");
    await block.set("b", "second", "");
    await block.set("b", "changed");
    expect((await block.entries()).map(({ description }) => description)).toEqual([null, null]);
  });

  test("returns nothing for a key never written", async () => {
    const block = await make();
    expect(await block.entry("nowhere")).toBeNull();
    expect(await block.entryVersions("nowhere")).toEqual([]);
    expect(await block.remove("nowhere")).toBe(false);
    expect(await block.entries()).toEqual([]);
  });

  const place = { blockId: "notes", label: "notes", sessionId: "s1" };
  const start = async () => {
    const events: NewSessionEvent[] = [];
    const block = emittingBlock(await make(), place, (event) => events.push(event));
    await block.set("present", "words");
    return { context: block, events };
  };
  const { get, set, entries, entry, remove, entryVersions } = entryEvents(place);
  const table = { get, set, entries, entry, remove, entryVersions };
  const calls: CallOfEveryMethod<typeof table, Awaited<ReturnType<typeof start>>["context"]> = {
    get: (block) => block.get(),
    set: async (block) => {
      await block.set("a", "first", undefined, { provenance: person });
      return [{ type: "block-write", ...place, key: "a", action: "replace", author: "person" }];
    },
    entries: (block) => block.entries(),
    entry: (block) => block.entry("present"),
    remove: async (block) => {
      await block.remove("nowhere");
      await block.remove("present", { provenance: model });
      return [{ type: "block-write", ...place, key: "present", action: "remove", author: "model" }];
    },
    entryVersions: (block) => block.entryVersions("present"),
  };
  describeEmitting("entries", table, calls, start);

  test("refuses a write to an entry that has not seen its newest version", async () => {
    const block = await make();
    await block.set("a", "one", undefined, { expectedVersion: 0 });
    await expect(block.set("a", "two", undefined, { expectedVersion: 0 })).rejects.toThrow(
      BlockConflictError,
    );
    expect(await block.entry("a")).toMatchObject({ content: "one", version: 1 });
  });
}

/** Contract of a writable skill block. `make` returns one without entries. */
export function describeSkillBlock(name: string, make: Make<WritableEntries<SkillProvider>>): void {
  describe(`${name} meets the contract of a skill block:`, () => {
    entryGuarantees(make);
  });
  describeWritableSkills(name, make);
  describeReadableSkills(name, async (skills) => {
    const block = await make();
    for (const { key, content, description } of skills) await block.set(key, content, description);
    return block;
  });
}

/** Contract of a writable searchable block. `make` returns one without entries. */
export function describeSearchBlock(
  name: string,
  make: Make<WritableEntries<SearchProvider>>,
): void {
  describe(`${name} meets the contract of a searchable block:`, () => {
    entryGuarantees(make);

    test("says how many entries there are", async () => {
      const block = await make();
      expect(await block.get()).toBeNull();
      await block.set("a", "apples");
      expect(await block.get()).toBe("1 entries indexed.");
      await block.set("b", "pears");
      expect(await block.get()).toBe("2 entries indexed.");
    });

    test("finds entries by words in any order, with the meaning of every other search", async () => {
      const block = await make();
      await block.set("fruit", "Ripe apples from Zürich");
      await block.set("pie", "Pear pie");
      expect(await block.search("zurich apple")).toBe("[fruit]\nRipe apples from Zürich");
      expect(await block.search("apple pie")).toBeNull();
      expect(await block.search("  ")).toBeNull();
      await block.set("fruit", "Plums");
      expect(await block.search("apple")).toBeNull();
    });

    test("finds the word forms of other languages", async () => {
      const block = await make();
      await block.set("city", "Die Häuser der Stadt sind alt");
      await block.set("land", "Les maisons de la campagne");
      expect(await block.search("hauses ")).toBe("[city]\nDie Häuser der Stadt sind alt");
      expect(await block.search("maison ")).toBe("[land]\nLes maisons de la campagne");
    });

    test("names the entries found", async () => {
      const block = await make();
      await block.set("fruit", "Ripe apples");
      await block.set("pie", "Pear pie");
      expect(await block.searchEntries("apple")).toEqual({
        text: "[fruit]\nRipe apples",
        keys: ["fruit"],
      });
      expect(await block.searchEntries("plum")).toBeNull();
    });

    test("gives at most ten", async () => {
      const block = await make();
      for (let n = 0; n < 12; n++) await block.set(`k${n}`, `apple ${n}`);
      expect((await block.search("apple"))?.split("\n\n")).toHaveLength(10);
    });
  });
}
