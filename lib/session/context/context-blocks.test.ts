import { describe, expect, test, vi } from "vitest";
import { emittingBlock } from "../emitting";
import { BlockConflictError, BlockWriterError } from "../errors";
import type { NewSessionEvent } from "../events";
import { InMemoryDocument } from "../in-memory/in-memory-document";
import { InMemorySearchProvider, InMemorySkillProvider } from "../in-memory/in-memory-entries";
import type { RegisteredBlock } from "./context-block";
import { ContextBlocks } from "./context-blocks";

function blocks(
  ...registered: readonly (Pick<RegisteredBlock, "label" | "provider"> & Partial<RegisteredBlock>)[]
) {
  const writes: NewSessionEvent[] = [];
  const all = new ContextBlocks({ deadlineMs: 20 });
  for (const { label, provider, ...options } of registered) {
    const block = { blockId: label, label, sessionId: "s" };
    const emitter = emittingBlock(provider, block, (event) => writes.push(event));
    all.add({ id: label, ...options, label, provider: emitter });
  }
  return { all, writes };
}

const soul = { label: "soul", provider: { get: () => "Be kind." } };
const memory = () => ({ label: "memory", provider: new InMemoryDocument("memory") });

describe("reading blocks", () => {
  test("lists the capabilities of each kind, in order of registration", async () => {
    const { all } = blocks(
      soul,
      { ...memory(), description: "Facts", maxTokens: 100 },
      { label: "skills", provider: new InMemorySkillProvider() },
      { label: "knowledge", provider: new InMemorySearchProvider() },
    );
    await all.replace("memory", "User likes coffee.");
    expect(await all.getAll()).toEqual([
      {
        id: "soul",
        label: "soul",
        content: "Be kind.",
        tokens: 3,
        writable: false,
        isSkill: false,
        isSearchable: false,
      },
      {
        id: "memory",
        label: "memory",
        description: "Facts",
        content: "User likes coffee.",
        tokens: 5,
        maxTokens: 100,
        writable: true,
        isSkill: false,
        isSearchable: false,
        version: 1,
      },
      {
        id: "skills",
        label: "skills",
        content: "",
        tokens: 0,
        writable: true,
        isSkill: true,
        isSearchable: false,
      },
      {
        id: "knowledge",
        label: "knowledge",
        content: "",
        tokens: 0,
        writable: true,
        isSkill: false,
        isSearchable: true,
      },
    ]);
    expect(await all.get("nowhere")).toBeNull();
  });

  test("a failing provider fails only its own block", async () => {
    const { all } = blocks(
      {
        label: "throws",
        provider: {
          get: () => {
            throw new Error("disk on fire");
          },
        },
      },
      { label: "hangs", provider: { get: () => new Promise<string>(() => undefined) } },
      { label: "odd", provider: { get: () => 7 as unknown as string } },
      soul,
    );
    const read = await all.getAll();
    expect(read.map(({ label, content, error }) => [label, content, error])).toEqual([
      ["throws", "", 'Block "throws" could not be used: disk on fire'],
      ["hangs", "", 'Block "hangs" could not be used: no answer within 0.02 s'],
      ["odd", "", 'Block "odd" could not be used: its provider gave something that is not text'],
      ["soul", "Be kind.", undefined],
    ]);
  });
});

describe("writing blocks", () => {
  test("tells a refused write from a broken provider, even one of another copy of the library", async () => {
    vi.resetModules();
    const copy = await import("../errors");
    const refused = new copy.BlockConflictError("memory", 1, 2);
    expect(refused).not.toBeInstanceOf(BlockConflictError);
    const provider = { get: () => "", set: () => Promise.reject(refused) };
    const { all } = blocks({ label: "memory", provider });
    await expect(all.replace("memory", "x")).rejects.toBe(refused);
  });

  test("replaces, and appends on a new line", async () => {
    const { all, writes } = blocks(memory());
    const provenance = { author: "person" } as const;
    await all.append("memory", "one", { provenance });
    await all.append("memory", "two");
    const block = await all.append("memory", "\nthree");
    expect(block.content).toBe("one\ntwo\nthree");
    expect((await all.replace("memory", "four")).content).toBe("four");
    expect(writes[0]).toMatchObject({ label: "memory", author: provenance.author });
    expect(writes.map((write) => "action" in write && write.action)).toEqual([
      "append",
      "append",
      "append",
      "replace",
    ]);
  });

  test("refuses the model where only the person writes, and nobody else", async () => {
    const { all, writes } = blocks(
      { ...memory(), writers: "person" },
      { label: "rules", provider: new InMemorySearchProvider(), writers: "person" },
    );
    const model = { provenance: { author: "model" } } as const;
    const person = { provenance: { author: "person" } } as const;
    const entry = { key: "k", content: "x" };
    await expect(all.replace("memory", "x", model)).rejects.toThrow(BlockWriterError);
    await expect(all.append("memory", "x", model)).rejects.toThrow(BlockWriterError);
    await expect(all.appendOnce("memory", "x", model)).rejects.toThrow(BlockWriterError);
    await expect(all.setEntry("rules", entry, model)).rejects.toThrow(
      'Block "rules" is written by the person alone.',
    );
    await all.replace("memory", "mine", person);
    await all.append("memory", "more");
    await all.setEntry("rules", entry, person);
    expect((await all.get("memory"))?.content).toBe("mine\nmore");
    expect((await all.get("memory"))?.writable).toBe(false);
    expect(writes).toHaveLength(3);
  });

  test("gives the initial text until something is written, also when that is nothing", async () => {
    const { all } = blocks({ ...memory(), initial: "Be kind." });
    expect(await all.get("memory")).toMatchObject({ content: "Be kind.", version: 0 });
    await all.replace("memory", "");
    expect(await all.get("memory")).toMatchObject({ content: "", version: 1 });
  });

  test("states why a write is refused, and leaves the block unchanged", async () => {
    const { all, writes } = blocks(soul, { ...memory(), maxTokens: 4 });
    await all.replace("memory", "one two three");
    await expect(all.append("memory", "four")).rejects.toThrow(
      'Block "memory" exceeds maxTokens: 6 > 4',
    );
    await expect(all.replace("soul", "x")).rejects.toThrow('Block "soul" is readonly');
    await expect(all.replace("x", "x")).rejects.toThrow('Block "x" not found');
    expect(() => all.add({ id: "soul", ...soul })).toThrow('Block "soul" already exists');
    expect((await all.get("memory"))?.content).toBe("one two three");
    expect(writes).toHaveLength(1);
  });

  test("exactly at the limit is allowed", async () => {
    const { all } = blocks({ ...memory(), maxTokens: 4 });
    expect((await all.replace("memory", "one two three")).tokens).toBe(4);
  });

  test("a stale version is refused", async () => {
    const { all } = blocks(memory());
    await all.replace("memory", "one", { expectedVersion: 0 });
    await expect(all.replace("memory", "two", { expectedVersion: 0 })).rejects.toMatchObject({
      code: "block-conflict",
      expectedVersion: 0,
      currentVersion: 1,
    });
  });

  test("concurrent appends lose no text, within one session and across", async () => {
    const provider = new InMemoryDocument("memory");
    const sessions = [
      blocks({ label: "memory", provider }).all,
      blocks({ label: "memory", provider }).all,
    ];
    const lines = Array.from({ length: 12 }, (_, n) => `line ${n}`);
    await Promise.all(lines.map((line, n) => sessions[n % 2]?.append("memory", line)));
    expect((await provider.get())?.split("\n").toSorted()).toEqual(lines.toSorted());
  });

  test("concurrent appends lose no text on a provider without versions", async () => {
    let text = "";
    const provider = {
      get: async () => text,
      set: async (content: string) => {
        text = content;
      },
    };
    const { all } = blocks({ label: "notes", provider });
    await Promise.all([all.append("notes", "one"), all.append("notes", "two")]);
    expect(text).toBe("one\ntwo");
  });

  test("a failing write names the provider", async () => {
    const { all } = blocks({
      label: "notes",
      provider: { get: () => "", set: () => Promise.reject(new Error("disk full")) },
    });
    await expect(all.replace("notes", "x")).rejects.toThrow(
      'Block "notes" could not be used: disk full',
    );
  });

  test("writes, loads and searches entries by key", async () => {
    const { all, writes } = blocks(
      { label: "skills", provider: new InMemorySkillProvider() },
      { label: "knowledge", provider: new InMemorySearchProvider() },
      memory(),
      { label: "fixed", provider: { get: () => "", load: () => null } },
    );
    await all.setEntry("skills", { key: "tea", content: "Boil water.", description: "How to" });
    await all.setEntry("knowledge", { key: "k", content: "Ripe apples" });
    expect(await all.load("skills", "tea")).toBe("Boil water.");
    expect(await all.load("skills", "coffee")).toBeNull();
    expect(await all.search("knowledge", "apple")).toEqual({
      text: "[k]\nRipe apples",
      keys: ["k"],
    });
    expect(writes.map((write) => "key" in write && write.key)).toEqual(["tea", "k"]);
    await expect(all.setEntry("fixed", { key: "k", content: "x" })).rejects.toThrow(
      'Block "fixed" is readonly',
    );
    await expect(all.setEntry("memory", { key: "k", content: "x" })).rejects.toThrow(
      "has no entries",
    );
    await expect(all.replace("skills", "x")).rejects.toThrow("entry by entry");
    await expect(all.load("memory", "x")).rejects.toThrow("not loadable");
    await expect(all.search("memory", "x")).rejects.toThrow("not searchable");
  });
});
