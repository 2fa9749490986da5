import OpenAI from "openai";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { sessionWire } from "@/lib/chat/sessions/transcript";
import { fetchV1, serveV1, weather } from "./testing/v1-server";

const { client, keyWith, models, owner } = serveV1();

type Item = OpenAI.Responses.ResponseInputItem;

const runOf = (response: { id: string }) => owner().runs.get(response.id.replace(/^\w+?[_-]/, ""));

async function chatsOf(...responses: readonly { id: string }[]) {
  const runs = await Promise.all(responses.map(runOf));
  return runs.map((run) => run?.sessionId);
}

async function clientNamed(headers: Record<string, string>, apiKey: string) {
  const address = { baseURL: "http://grove.test/v1", fetch: fetchV1, maxRetries: 0 };
  return new OpenAI({ apiKey, ...address, defaultHeaders: headers });
}

const question = (content: string) => ({ role: "user", content }) as const;

/** The items of a response as programs send them that keep no ids. */
function said(response: OpenAI.Responses.Response): Item[] {
  return response.output.map((item) => {
    if (item.type === "message")
      return { role: "assistant", content: response.output_text } as const;
    const { id: _, ...rest } = item as OpenAI.Responses.ResponseFunctionToolCall;
    return rest;
  });
}

function later(minutes: number) {
  vi.useFakeTimers({ now: Date.now() + minutes * 60_000, toFake: ["Date"] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
}

describe("a history sent whole, without ids", () => {
  test("is one chat, step by step, whatever its instructions say by then", {
    tags: "long",
  }, async () => {
    const openai = await client();
    const tools = [weather];
    const items: Item[] = [question("Weather in Oslo?")];
    const steps: OpenAI.Responses.Response[] = [];
    for (let step = 0; step < 3; step++) {
      const time: Item = { role: "developer", content: `It is ${step} o'clock.` };
      const response = await openai.responses.create({ input: [time, ...items], tools });
      steps.push(response);
      items.push(...said(response));
      const [call] = response.output;
      if (call?.type === "function_call")
        items.push({ type: "function_call_output", call_id: call.call_id, output: "Rain" });
      else items.push(question("And tomorrow?"));
    }
    expect(new Set(await chatsOf(...steps)).size).toBe(1);
    const last = await runOf(steps[2] ?? { id: "" });
    const path = await owner()
      .store.messages(last?.sessionId ?? "")
      .getHistory();
    expect(path.filter(({ role }) => role !== "system").map(({ role }) => role)).toEqual([
      ...["user", "assistant", "assistant", "assistant"],
      ...["user", "assistant"],
    ]);
    const systems = models().requests.map(({ messages }) => messages[0]?.content);
    expect(systems).toEqual([0, 1, 2].map((step) => `It is ${step} o'clock.`));
  });

  test("with an earlier answer asked again, or another question after it, is a branch", {
    tags: "long",
  }, async () => {
    const openai = await client();
    const first = await openai.responses.create({ input: [question("Name a tree")] });
    const beginning = [question("Name a tree"), ...said(first)];
    const [one, other] = [
      await openai.responses.create({ input: [...beginning, question("Its fruit?")] }),
      await openai.responses.create({ input: [...beginning, question("Its leaf?")] }),
    ];
    expect(new Set(await chatsOf(first, one, other)).size).toBe(1);
    const messageId = (await runOf(first))?.messageId ?? "";
    const [chat] = await chatsOf(first);
    const branches = await owner()
      .store.messages(chat ?? "")
      .getBranches(messageId);
    expect(branches).toHaveLength(2);
  });

  test("goes on in the chat whose answers it has, of several with one first question", {
    tags: "long",
  }, async () => {
    const openai = await client();
    models().answer = "Oak";
    const oak = await openai.responses.create({ input: [question("A tree")] });
    later(30);
    models().answer = "Elm";
    const elm = await openai.responses.create({ input: [question("A tree")] });
    models().answer = null;
    const again = await openai.responses.create({
      input: [question("A tree"), ...said(oak), question("More")],
    });
    const [oaks, elms, agains] = await chatsOf(oak, elm, again);
    expect(oaks).not.toBe(elms);
    expect(agains).toBe(oaks);
  });

  test("is the same chat with answers that the program changed, for an hour", {
    tags: "long",
  }, async () => {
    const openai = await client();
    const first = await openai.responses.create({ input: [question("Think")] });
    const changed: Item[] = [
      question("Think"),
      { role: "assistant", content: "Something else" },
      question("Go on"),
    ];
    const second = await openai.responses.create({ input: changed });
    later(90);
    const third = await openai.responses.create({
      input: [...changed.slice(0, 1), { role: "assistant", content: "New" }, question("Go on")],
    });
    const chats = await chatsOf(first, second, third);
    expect(chats[1]).toBe(chats[0]);
    expect(chats[2]).not.toBe(chats[0]);
  });
});

describe("a first question", () => {
  const ask = { model: "compatible:fake/echo", messages: [question("Hello")] };

  test("asked again within minutes is asked in the same chat, later in another", async () => {
    const openai = await client();
    const first = await openai.chat.completions.create(ask);
    const second = await openai.chat.completions.create(ask);
    later(15);
    const third = await openai.chat.completions.create(ask);
    const chats = await chatsOf(first, second, third);
    expect(chats[1]).toBe(chats[0]);
    expect(chats[2]).not.toBe(chats[0]);
  });

  test("of two programs on one key, by their prompts or cache keys, is two chats", async () => {
    const openai = await client();
    const under = (content: string) =>
      openai.chat.completions.create({
        ...ask,
        messages: [{ role: "system", content }, ...ask.messages],
      });
    const cached = (prompt_cache_key: string) =>
      openai.chat.completions.create({ ...ask, prompt_cache_key });
    const chats = await chatsOf(
      await under("You write code."),
      await under("You write mail."),
      await cached("a"),
      await cached("b"),
    );
    expect(new Set(chats).size).toBe(4);
  });

  test("is in the chat that its metadata names by an id, and not in one of its kind", {
    tags: "long",
  }, async () => {
    const openai = await client();
    const about = (input: string, metadata: Record<string, string>) =>
      openai.responses.create({ input, metadata });
    const chats = await chatsOf(
      await about("One", { sessionId: "a" }),
      await about("Two", { sessionId: "a" }),
      await about("Three", { session: "evening" }),
      await about("Four", { session: "evening" }),
    );
    expect(chats[1]).toBe(chats[0]);
    expect(new Set(chats).size).toBe(3);
  });

  test("of a conversation with a name is in its chat, also after the program shortened it", async () => {
    const { secret } = await keyWith();
    const [one, other] = await Promise.all(
      ["one", "other"].map((id) => clientNamed({ "X-Session-Id": id }, secret)),
    );
    if (!one || !other) throw new Error("There are no clients.");
    const first = await one.responses.create({ input: "Hello" });
    const second = await other.responses.create({ input: "Hello" });
    later(1_000);
    const third = await one.responses.create({ input: "A summary of what we said, and go on" });
    const chats = await chatsOf(first, second, third);
    expect(chats[1]).not.toBe(chats[0]);
    expect(chats[2]).toBe(chats[0]);
  });
});

describe("a key that keeps", () => {
  const counts = async () => (await owner().store.sessions.list()).sessions.length;

  test("conversations as chats does so for programs that ask to store nothing", async () => {
    const openai = await client({ keeps: "chats" });
    const response = await openai.responses.create({ input: "Keep it", store: false });
    expect((await chatsOf(response))[0]).toEqual(expect.any(String));
    expect(await openai.responses.retrieve(response.id)).toMatchObject({ store: true });
  });

  test.each([
    { keeps: "nothing", store: undefined },
    { keeps: "nothing", store: true },
    { keeps: "asked", store: false },
  ] as const)("$keeps leaves no chat with store: $store", async ({ keeps, store }) => {
    const openai = await client({ keeps });
    const before = await counts();
    const response = await openai.responses.create({
      input: "Forget it",
      ...(store !== undefined && { store }),
    });
    expect(response).toMatchObject({ output_text: "You said: Forget it", store: false });
    const completion = await openai.chat.completions.create({
      model: "compatible:fake/echo",
      messages: [question("Forget it, too")],
      ...(store !== undefined && { store }),
    });
    expect(completion.choices[0]?.message.content).toBe("You said: Forget it, too");
    expect(await counts()).toBe(before);
  });
});

describe("a request beside the conversation", () => {
  test("for a title is logged, and no branch of the chat", { tags: "long" }, async () => {
    const openai = await client();
    const model = (await openai.models.list()).data[0]?.id ?? "";
    const messages = [question("Which trees keep their leaves?")];
    const chat = await openai.chat.completions.create({ model, messages });
    const wanted =
      "Generate a concise, 3-5 word title for this chat: Which trees keep their leaves?";
    const aside = [question(wanted)];
    const title = await openai.chat.completions.create({ model, messages: aside });
    const response = await openai.responses.create({ input: wanted });
    const ids = await chatsOf(chat, title, response);
    expect(new Set(ids).size).toBe(3);
    const infos = await Promise.all(ids.map((id) => owner().store.sessions.get(id ?? "")));
    expect(infos[0]?.metadata.program).not.toHaveProperty("log");
    for (const logged of infos.slice(1))
      expect(logged?.metadata.program).toMatchObject({ log: true });
    expect(await owner().store.sessions.searchTitles("concise")).toEqual([]);
  });

  test("is one of many, where its key keeps a log", async () => {
    const openai = await client({ keeps: "log" });
    const [id] = await chatsOf(
      await openai.responses.create({ input: "Name a tree", store: false }),
    );
    const info = await owner().store.sessions.get(id ?? "");
    expect(info?.metadata.program).toMatchObject({ log: true });
  });
});

test("a chat has the folder that its program names, and another folder is no reason for another chat", async () => {
  const openai = await client();
  const named = (folder: string) =>
    `<environment_context><cwd>${folder}</cwd></environment_context>`;
  const input = [question(named("/home/me/tea")), question(`Mend ${crypto.randomUUID()}`)];
  const first = await openai.responses.create({ input });
  const second = await openai.responses.create({
    input: [...input, ...said(first), question(named("/home/me/oaks"))],
  });
  const [chat, other] = await chatsOf(first, second);
  const info = await owner().store.sessions.get(chat ?? "");
  expect(other).toBe(chat);
  expect(info && sessionWire(info)).toMatchObject({ folder: "/home/me/tea" });
  const plain = await chatsOf(await openai.responses.create({ input: "No folder" }));
  const without = await owner().store.sessions.get(plain[0] ?? "");
  expect(without && sessionWire(without)).toMatchObject({ folder: null });
});

describe("the title of a program's chat", () => {
  const titleOf = async (...texts: string[]) => {
    const openai = await client();
    const [chat] = await chatsOf(
      await openai.responses.create({ input: texts.map((text) => question(text)) }),
    );
    return (await owner().store.sessions.get(chat ?? ""))?.name;
  };

  test("leaves out the blocks that it puts before the words", { tags: "long" }, async () => {
    const reminder = "<system-reminder>Use the tools of this folder.</system-reminder>";
    expect(await titleOf(`${reminder}\nMend the build`)).toBe("Mend the build");
    expect(await titleOf("<environment_context>Linux</environment_context>", "Mend it all")).toBe(
      "Mend it all",
    );
  });
});
