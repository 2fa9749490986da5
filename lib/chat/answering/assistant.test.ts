import { jsonSchema, tool } from "ai";
import { promptSections } from "grove-session";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ToolSource } from "@/lib/chat/core/tool-source";
import { assistantsView } from "@/lib/chat/memory/assistants";
import { Memory } from "@/lib/chat/memory/memory";
import { changeSession, sessionDetail } from "@/lib/chat/sessions/session-detail";
import { newOwner, resolvedModel } from "@/lib/chat/testing/chat-fixture";
import { manualChat } from "@/lib/chat/testing/run-fixture";
import { type AssistantRef, assistantsLabel } from "@/lib/chat/wire/assistants";
import { startRunRequest } from "@/lib/chat/wire/messages";
import { temporaryIdOf } from "@/lib/chat/wire/temporary-id";
import { ModelUnavailableError } from "@/lib/llm";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { receiptOf } from "./answer-receipt";
import { contextView } from "./context-view";
import { answerMessage } from "./send-message";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const weather: ToolSource = {
  tools: () =>
    (["weather", "secret"] as const).map((name) => ({
      name,
      title: name,
      note: "",
      origin: { kind: "mcp", name: "station" },
      defaultPolicy: name === "secret" ? "off" : "on",
      make: () =>
        tool({ inputSchema: jsonSchema<object>({ type: "object" }), execute: () => "Found" }),
    })),
};

function chat(sessionId?: string, given: { defaultAssistant?: string } = {}) {
  const person = newOwner(database.sql, crypto.randomUUID(), { toolSources: () => [weather] });
  const owner = sessionId === undefined ? { ...person, ...given } : person.temporaryChats;
  const { model, conversation, process } = manualChat(database.sql, {
    owner,
    info: { parameters: { temperature: { max: 2 } } },
    ...(sessionId !== undefined && { sessionId }),
  });
  const memory = new Memory(person, null);
  let asked = 0;
  async function write(text: string): Promise<AssistantRef> {
    const key = "poet";
    const present = (await assistantsView(person)).assistants.find((each) => each.key === key);
    const { version } = await memory.writeEntry(assistantsLabel, key, {
      ...{ title: "Poet", content: text },
      expectedVersion: present?.version ?? null,
    });
    return { key, version, name: "Poet" };
  }
  /** The prompt's last section, the tools and the answer. */
  async function ask(request: Parameters<typeof conversation.ask>[1] = {}) {
    const turn = asked++;
    model.turn(turn).say("Yes").finish();
    const answer = await conversation.ask(`Question ${turn}`, request);
    const [system] = model.calls[turn]?.prompt ?? [];
    const sections = promptSections(String(system?.content ?? ""));
    const tools = (model.calls[turn]?.tools ?? []).map(({ name }) => name);
    return { answer, section: sections.at(-1), tools, call: model.calls[turn] };
  }
  return { person, owner, model, conversation, process, memory, write, ask };
}

const poem = (body: string, ...fields: string[]) =>
  ["---", "name: Poet", ...fields, "---", "", body].join("\n");

test("an assistant's instructions follow the prompt at the version that the chat remembers, and the receipt names it", async () => {
  const { owner, conversation, model, write, ask } = chat();
  const first = await write(poem("Answer in rhymes."));
  const { section, answer } = await ask({ newSession: { assistant: first } });
  expect(section).toMatchObject({ label: "ASSISTANT", content: "Answer in rhymes." });
  expect(answer.metadata?.assistant).toEqual(first);
  const second = await write(poem("Answer in haiku."));
  expect((await ask()).section?.content).toBe("Answer in rhymes.");
  const { sessionId } = conversation;
  const resolved = resolvedModel(model.model);
  const view = () => contextView(owner, { sessionId, resolved });
  expect((await view()).assistant).toMatchObject({
    ...first,
    text: poem("Answer in rhymes."),
    newest: { version: second.version, text: poem("Answer in haiku.") },
  });
  await changeSession(owner, sessionId, { assistant: second });
  const later = await ask();
  expect(later.section?.content).toBe("Answer in haiku.");
  expect((await receiptOf(owner, sessionId, later.answer.id))?.assistant).toEqual(second);
  expect((await receiptOf(owner, sessionId, answer.id))?.assistant).toEqual(first);
  const { gauge, prompt } = await view();
  expect(prompt).toContain("Answer in haiku.");
  expect(gauge.parts).toContainEqual(
    expect.objectContaining({ source: "prompt", label: "assistant" }),
  );
  await changeSession(owner, sessionId, { assistant: null });
  const none = await ask();
  expect(none.section?.label).not.toBe("ASSISTANT");
  expect(none.answer.metadata?.assistant).toBeUndefined();
});

test("a project's chat begins with its assistant, at the newest version, unless another or none is asked for", async () => {
  const begin = async (newSession: object, text: string | null = poem("In rhymes.")) => {
    const { owner, conversation, memory, write, ask } = chat(undefined, {
      defaultAssistant: "poet",
    });
    await write(poem("In prose."));
    const ref = await write(text ?? poem("In rhymes.", "temperature: 0.4"));
    if (text === null) await memory.removeEntry(assistantsLabel, ref.key);
    const { section } = await ask({ newSession });
    const { session } = await sessionDetail(owner, conversation.sessionId);
    return { content: section?.content, assistant: session.assistant, set: session.parameters };
  };
  const ref = { key: "poet", version: 2, name: "Poet" };
  expect(await begin({}, poem("In rhymes.", "temperature: 0.4", "model: gone/model"))).toEqual({
    ...{ content: "In rhymes.", assistant: ref, set: { temperature: 0.4 } },
  });
  const older = { ...ref, version: 1 };
  expect(await begin({ assistant: older })).toMatchObject({
    ...{ content: "In prose.", assistant: older },
  });
  expect((await begin({ assistant: null })).assistant).toBeNull();
  expect((await begin({}, null)).assistant).toBeNull();
});

test("a deleted assistant goes on answering where it is in use, and the context says so", async () => {
  const { owner, conversation, model, memory, write, ask } = chat();
  const ref = await write(poem("Answer in rhymes."));
  await ask({ newSession: { assistant: ref } });
  await memory.removeEntry(assistantsLabel, ref.key);
  expect((await ask()).section?.content).toBe("Answer in rhymes.");
  const { sessionId } = conversation;
  const { assistant } = await contextView(owner, {
    sessionId,
    resolved: resolvedModel(model.model),
  });
  expect(assistant).toMatchObject({ ...ref, newest: null });
});

test("an assistant takes tools away and never adds one that the person has turned off", async () => {
  const { owner, conversation, write, ask } = chat();
  const tools = "tools: [weather, secret, search_the_moon]";
  const first = await write(poem("Look it up.", tools));
  const { tools: offered, answer } = await ask({ newSession: { assistant: first } });
  expect(offered).toEqual(["weather"]);
  const missing = ["the tool “secret”", "the tool “search_the_moon”"];
  expect(answer.metadata?.leftOut?.missing).toEqual(missing);
  expect((await receiptOf(owner, conversation.sessionId, answer.id))?.missing).toEqual(missing);
  const second = await write(poem("Guess.", "disallowedTools: weather"));
  await changeSession(owner, conversation.sessionId, { assistant: second });
  const all = (await ask()).tools;
  expect(all).not.toContain("weather");
  expect(all).toContain("set_context");
});

test("its instructions hold the skills it names, and the answer says which is gone", async () => {
  const { memory, write, ask } = chat();
  await memory.addEntry("skills", { title: "Brew", content: "Boil water." });
  const ref = await write(poem("Make tea.", "skills: [brew, bake]"));
  const { section, answer } = await ask({ newSession: { assistant: ref } });
  expect(section?.content).toBe("Make tea.\n\n# Skill: brew\n\nBoil water.");
  expect(answer.metadata?.leftOut?.missing).toEqual(["the skill “bake”"]);
});

test("one asked with its message answers this one, also again, with its own parameters", async () => {
  const { owner, conversation, write, ask, model } = chat();
  const ref = await write(poem("Answer in rhymes.", "temperature: 0.3"));
  await ask();
  const id = crypto.randomUUID();
  const { answer, section, call } = await ask({ id, assistant: ref });
  expect(section?.content).toBe("Answer in rhymes.");
  expect(answer.metadata?.assistant).toEqual(ref);
  expect(call?.temperature).toBe(0.3);
  expect((await conversation.message(id)).metadata?.assistant).toEqual(ref);
  model.turn(2).say("Again").finish();
  expect((await conversation.askAgain(id)).metadata?.assistant).toEqual(ref);
  expect(model.calls[2]?.temperature).toBe(0.3);
  expect((await sessionDetail(owner, conversation.sessionId)).session.assistant).toBeNull();
  model.turn(3).say("Yes").finish();
  expect((await conversation.ask("And now?")).metadata?.assistant).toBeUndefined();
});

test("one whose model is gone answers with the chat's, and says so", async () => {
  const { conversation, write, ask, model, process } = chat();
  const { answering } = conversation;
  const resolved = await answering.chooseModel(null);
  Object.assign(answering, {
    chooseModel: async (ref: string | null) => {
      if (ref === "gone/model")
        throw new ModelUnavailableError("unknown-provider", ref, "No provider lists it.");
      return resolved;
    },
  });
  await ask();
  const ref = await write(poem("Answer in rhymes.", "model: gone/model"));
  const id = crypto.randomUUID();
  const { answer } = await ask({ id, assistant: ref });
  expect(answer.metadata).toMatchObject({
    ...{ status: "complete", model: "test/model", assistant: ref },
    leftOut: { missing: ["the model “gone/model”"] },
  });
  model.turn(2).say("Again").finish();
  const asked = { answerId: "again", parentId: id, model: "test/model" };
  await answerMessage(answering, conversation.sessionId, startRunRequest.parse(asked));
  await process.ended("again");
  const again = await conversation.message("again");
  expect(again.metadata).toMatchObject({ status: "complete", assistant: ref });
  expect(again.metadata?.leftOut).toBeUndefined();
});

test("an instruction in an assistant that asks for memory writes changes no permission", async () => {
  const { owner, conversation, write, ask } = chat();
  const ref = await write(
    poem("Write all you hear to memory.", "memory: user", "tools: [set_context]"),
  );
  await ask({ newSession: { assistant: ref } });
  await changeSession(owner, conversation.sessionId, { memoryMode: "off" });
  const { tools, answer } = await ask();
  expect(tools).toEqual([]);
  expect(answer.metadata?.leftOut?.missing).toEqual(["the tool “set_context”"]);
});

test("its writes to memory are held where the person has tools from outside, though it takes them away", async () => {
  const { owner, conversation, write, ask, model } = chat();
  await ask();
  const assistant = await write(poem("Note all you hear.", "tools: [set_context]"));
  await changeSession(owner, conversation.sessionId, { assistant, memoryMode: "on" });
  const noted = { label: "memory", content: "- Likes tea", action: "append" };
  model.turn(1).call("set_context", noted).finish("tool-calls");
  const answer = await conversation.ask("I like tea");
  expect(answer.metadata?.proposals).toHaveLength(1);
});

test("an answer that goes on keeps its assistant, though the chat has another one by now", async () => {
  const { owner, conversation, write, ask, model, process } = chat();
  const first = await write(poem("Answer in rhymes."));
  await ask({ newSession: { assistant: first } });
  const { sessionId, answering } = conversation;
  const parentId = await conversation.say("And then?");
  const metadata = { status: "stopped", model: "test/model", assistant: first };
  const half = {
    id: "half",
    role: "assistant",
    parts: [{ type: "text", text: "A tree" }],
  } as const;
  await owner.store.messages(sessionId).appendMessage({ ...half, metadata }, parentId);
  await changeSession(owner, sessionId, { assistant: await write(poem("Answer in haiku.")) });
  model.turn(1).say(" to see").finish();
  const request = startRunRequest.parse({ answerId: "on", parentId, continues: "half" });
  await answerMessage(answering, sessionId, request);
  await process.ended("on");
  expect((await conversation.message("on")).metadata?.assistant).toEqual(first);
  expect(String(model.calls[1]?.prompt[0]?.content)).toContain("Answer in rhymes.");
});

test("the prompt calls it as its document does, not as an imported chat does", async () => {
  const { write, ask } = chat();
  const ref = await write(poem("Answer in rhymes."));
  const { call } = await ask({ newSession: { assistant: { ...ref, name: "Obey me" } } });
  const prompt = String(call?.prompt[0]?.content);
  expect(prompt).toContain("Poet: how to answer here");
  expect(prompt).not.toContain("Obey me");
});

test("a temporary chat takes the person's assistants", async () => {
  const { write, ask } = chat(temporaryIdOf(crypto.randomUUID(), { withMemory: false }));
  const ref = await write(poem("Answer in rhymes."));
  const { section } = await ask({ newSession: { assistant: ref } });
  expect(section?.content).toBe("Answer in rhymes.");
});
