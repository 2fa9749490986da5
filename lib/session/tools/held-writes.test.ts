import { describe, expect, test } from "vitest";
import type { AnyContextProvider } from "../context-provider";
import { InMemoryDocument } from "../in-memory/in-memory-document";
import { InMemorySearchProvider, InMemorySkillProvider } from "../in-memory/in-memory-entries";
import { InMemorySessionStore } from "../in-memory/in-memory-session-store";
import { Session } from "../session";
import { assistant } from "../testing";
import { contextTools } from "./context-tools";
import type { HeldWrite } from "./set-context";
import { blocksOf, call, nothingLoaded } from "./testing/call-tools";

describe("set_context with writes held for approval", () => {
  async function holding(providers: Readonly<Record<string, AnyContextProvider>>, maxTokens = 20) {
    const held: HeldWrite[] = [];
    const blocks = blocksOf(providers, maxTokens);
    const tools = contextTools(blocks, {
      ...nothingLoaded,
      seenVersions: await blocks.versions(),
      hold: async (write) => void held.push(write),
    });
    return { held, write: (input: unknown) => call(tools, "set_context", input) };
  }

  test("holds skills alone where only those are asked for", async () => {
    const [memory, skills] = [new InMemoryDocument(), new InMemorySkillProvider()];
    const held: HeldWrite[] = [];
    const hold = async (write: HeldWrite) => void held.push(write);
    const options = { ...nothingLoaded, hold, holdsOnlySkills: true };
    const tools = contextTools(blocksOf({ memory, skills }), options);
    await call(tools, "set_context", { label: "memory", content: "Likes tea" });
    const metadata = { title: "Tea" };
    await call(tools, "set_context", { label: "skills", content: "Boil water", metadata });
    expect(await memory.get()).toBe("Likes tea");
    expect(await skills.entries()).toEqual([]);
    expect(held).toMatchObject([{ blockId: "skills", key: "tea", content: "Boil water" }]);
  });

  test("writes nothing, hands on what would be written, and says that a person decides", async () => {
    const memory = new InMemoryDocument();
    const knowledge = new InMemorySearchProvider();
    await memory.set("Likes tea");
    const { held, write } = await holding({ memory, knowledge });
    const metadata = { title: "Tea Guide", description: "How to" };
    const answers = [
      await write({ label: "memory", content: "Likes cake", action: "append" }),
      await write({ label: "memory", content: "Likes all" }),
      await write({ label: "knowledge", content: "Boil water", metadata }),
    ];
    expect(answers).toEqual([
      expect.stringMatching(/^Proposed for memory\. Nothing is written yet/),
      expect.stringMatching(/^Proposed for memory/),
      expect.stringMatching(/^Proposed for knowledge/),
    ]);
    const text = {
      toolCallId: "call",
      blockId: "memory",
      key: null,
      title: null,
      description: null,
      baseVersion: 1,
    };
    const guide = { key: "tea-guide", title: "Tea Guide", description: "How to", baseVersion: 0 };
    expect(held).toEqual([
      { ...text, action: "append", content: "Likes cake" },
      { ...text, action: "replace", content: "Likes all" },
      {
        toolCallId: "call",
        blockId: "knowledge",
        ...guide,
        action: "replace",
        content: "Boil water",
      },
    ]);
    expect(await memory.get()).toBe("Likes tea");
    expect(await knowledge.entries()).toEqual([]);
  });

  test("pauses a run that waits, and makes the write by its acceptance alone", async () => {
    const session = Session.create(new InMemorySessionStore()).withContext("memory");
    await session.appendMessage(assistant("a"));
    const options = { holdWrites: true, proposalIdOf: (id: string) => `write-${id}` };
    const { set_context } = await session.tools(options);
    const input = { label: "memory", content: "Likes tea" };
    const call = { toolCallId: "1", messages: [], context: {} };
    const waits = set_context?.needsApproval as (input: unknown, call: unknown) => Promise<boolean>;
    expect(await waits(input, call)).toBe(true);
    expect(await waits(input, call)).toBe(true);
    expect((await session.memory.getProposals()).map(({ id }) => id)).toEqual(["write-1"]);
    expect(await set_context?.execute?.(input, call)).toMatchObject({ outcome: "refused" });
    expect((await session.getContextBlock("memory"))?.content).toBe("");
    await session.memory.acceptProposal("write-1", { content: "Likes green tea" });
    const resumed = (await session.tools(options)).set_context;
    expect(await resumed?.execute?.(input, call)).toMatchObject({ outcome: "written" });
    expect((await session.getContextBlock("memory"))?.content).toBe("Likes green tea");
    const long = { label: "memory", content: "" };
    expect(await waits({ ...long, label: "none" }, { ...call, toolCallId: "2" })).toBe(false);
  });

  test("refuses at once a write that could never be accepted", async () => {
    const memory = new InMemoryDocument();
    const knowledge = new InMemorySearchProvider();
    const long = "far too many words for such a small block ".repeat(5);
    const { held, write } = await holding({ memory, knowledge, soul: { get: () => "kind" } });
    const answers = [
      await write({ label: "memory", content: long }),
      await write({ label: "knowledge", content: long, metadata: { title: "Long" } }),
      await write({ label: "soul", content: "evil" }),
      await write({ label: "none", content: "x" }),
    ];
    expect(answers.every((text) => String(text).startsWith("Error: "))).toBe(true);
    await memory.set("By hand");
    expect(await write({ label: "memory", content: "x" })).toContain("It now says:\nBy hand");
    expect(held).toEqual([]);
  });
});
