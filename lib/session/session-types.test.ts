import type { UIMessage } from "ai";
import { describe, expect, expectTypeOf, test } from "vitest";
import { InvalidArgumentError, NotSupportedError } from "./errors";
import { InMemorySearchProvider, InMemorySkillProvider } from "./in-memory/in-memory-entries";
import { InMemorySessionStore } from "./in-memory/in-memory-session-store";
import type { ContextOptions, SkillProvider } from "./index";
import type { SessionListener } from "./ports";
import { Session } from "./session";
import { SessionManager } from "./session-manager";
import { user } from "./testing";
import { DocumentedCore } from "./testing/documented-core";

interface TextPart {
  type: "text";
  text: string;
}

interface OwnMessage {
  id: string;
  role: "user" | "assistant";
  parts: TextPart[];
}

const newSession = () => Session.create(new InMemorySessionStore());

describe("the types of messages", () => {
  test("accept parts typed as an interface", async () => {
    const message: OwnMessage = { id: "q1", role: "user", parts: [{ type: "text", text: "Hi" }] };
    const session = newSession();

    await session.appendMessage(message);
    await session.appendMessages([{ ...message, id: "q2" }]);
    await session.updateMessage({ ...message, parts: [] });
    const manager = SessionManager.create(new InMemorySessionStore());
    const { id } = await manager.create("Tea");
    await manager.append(id, message);
    await manager.upsert(id, message);

    expect(await session.getPathLength()).toBe(2);
  });

  test("accept messages of the AI SDK and literals", async () => {
    const session = newSession();
    const message: UIMessage = { id: "q1", role: "user", parts: [{ type: "text", text: "Hi" }] };

    await session.appendMessage(message);
    await session.appendMessage({ id: "q2", role: "user", parts: [{ type: "text", text: "Ho" }] });

    expect(await session.getPathLength()).toBe(2);
  });
});

test("a listener may return anything", () => {
  const received: string[] = [];
  const session = newSession();

  session.on("append", ({ messageId }) => received.push(messageId));
  session.on("update", async () => received.length);

  expectTypeOf<(event: { messageId: string }) => number>().toExtend<SessionListener<"append">>();
});

describe("the type of the tools", () => {
  test("has set_context for a document the model writes", async () => {
    const tools = await newSession().withContext("memory").withCachedPrompt().tools();

    expectTypeOf(tools.set_context).not.toBeNullable();
    expectTypeOf(tools.search_context).toBeNullable();
    expect(Object.keys(tools)).toEqual(["set_context"]);
  });

  test("adds up over the blocks of a session", async () => {
    const session = newSession()
      .withContext("soul", { provider: { get: () => "You are helpful." } })
      .withContext("skills", { provider: new InMemorySkillProvider() })
      .withContext("knowledge", { provider: () => new InMemorySearchProvider() });
    const tools = await session.tools();

    expectTypeOf(tools.set_context).not.toBeNullable();
    expectTypeOf(tools.load_context).not.toBeNullable();
    expectTypeOf(tools.unload_context).not.toBeNullable();
    expectTypeOf(tools.search_context).not.toBeNullable();
    expect(Object.keys(tools)).toHaveLength(4);
  });

  test("promises no tool for a block the model may not write", async () => {
    const readonly = newSession().withContext("soul", { provider: { get: () => "Be kind." } });
    const persons = newSession().withContext("about", { writers: "person" });
    const options: ContextOptions = { description: "Of any kind" };

    expectTypeOf((await readonly.tools()).set_context).toBeNullable();
    expectTypeOf((await persons.tools()).set_context).toBeNullable();
    expectTypeOf((await newSession().withContext("x", options).tools()).set_context).toBeNullable();
    expect([await readonly.tools(), await persons.tools()]).toEqual([{}, {}]);
  });

  test("promises set_context neither without writes nor for an optional set", async () => {
    const session = newSession().withContext("memory");
    const skills: SkillProvider = new InMemorySkillProvider();
    const withSkills = newSession().withContext("skills", { provider: skills });

    expectTypeOf((await session.tools({ allowWrites: false })).set_context).toBeNullable();
    expectTypeOf((await withSkills.tools()).set_context).toBeNullable();
    expectTypeOf((await withSkills.tools()).load_context).not.toBeNullable();
    expect(await session.tools({ allowWrites: false })).toEqual({});
  });

  test("reaches the sessions of a manager", async () => {
    const manager = SessionManager.create(new InMemorySessionStore())
      .withContext("memory")
      .withSearchableHistory("history");
    const { id } = await manager.create("Tea");
    const tools = await manager.getSession(id).tools();

    expectTypeOf(tools.set_context).not.toBeNullable();
    expectTypeOf(tools.search_context).not.toBeNullable();
    expectTypeOf(manager.tools().session_search).not.toBeNullable();
    expect(Object.keys(tools)).toEqual(["set_context", "search_context"]);
  });

  test("lets a session with known tools pass as any session", () => {
    expectTypeOf(newSession().withContext("memory")).toExtend<Session>();
  });
});

describe("a source of the wrong kind is refused by name", () => {
  test.each([undefined, null, "tea", {}, { sql: () => [] }])("%o", (source) => {
    const given = source as unknown as InMemorySessionStore;
    expect(() => Session.create(given)).toThrow(InvalidArgumentError);
    expect(() => SessionManager.create(given)).toThrow(InvalidArgumentError);
  });

  test("a manager refuses a provider of one session", () => {
    const provider = new DocumentedCore() as unknown as InMemorySessionStore;
    expect(() => SessionManager.create(provider)).toThrow("A manager needs a SessionStore");
  });
});

test("a method that a provider lacks is refused by name", async () => {
  const core = new DocumentedCore();
  const partial = { appendMessage: core.appendMessage.bind(core) } as unknown as DocumentedCore;
  const session = Session.create(partial);

  await expect(session.getHistory()).rejects.toThrow(new NotSupportedError("getHistory"));
  await expect(session.search("tea")).rejects.toThrow(NotSupportedError);
  await expect(
    session.appendMessage({ ...user("q1"), id: 1 as unknown as string }),
  ).rejects.toThrow(InvalidArgumentError);
});
