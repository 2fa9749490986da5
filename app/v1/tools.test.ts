import type OpenAI from "openai";
import { describe, expect, test } from "vitest";
import { serveV1, weather } from "./testing/v1-server";

const { client, models, owner } = serveV1();

type Tool = OpenAI.Responses.Tool;

const browser: Tool = {
  type: "namespace",
  name: "mcp__browser__",
  description: "A browser.",
  tools: [{ type: "function", name: "open.page", parameters: weather.parameters, strict: false }],
};
const patch: Tool = {
  type: "custom",
  name: "apply_patch",
  description: "Changes files.",
  format: { type: "grammar", syntax: "lark", definition: "start: WORD" },
};

const sentTools = () =>
  models()
    .requests.at(-1)
    ?.tools?.map((each) => each.function);

async function answerOf(response: OpenAI.Responses.Response) {
  const run = await owner().runs.get(response.id.slice("resp_".length));
  return owner()
    .store.messages(run?.sessionId ?? "")
    .getMessage(run?.messageId ?? "");
}

describe("tools of a response", () => {
  test("in a namespace are functions for the model, and called by their own names", async () => {
    const openai = await client();
    const events = await Array.fromAsync(
      await openai.responses.create({ input: "Open it", tools: [browser], stream: true }),
    );
    const sent = sentTools()?.[0]?.name;
    expect(sent).toMatch(/^mcp__browser__open_page_[0-9a-f]{8}$/);
    const end = events.at(-1);
    if (end?.type !== "response.completed") throw new Error("The response has no end.");
    const { response } = end;
    const [call] = response.output;
    if (call?.type !== "function_call") throw new Error("No tool was called.");
    expect(call).toMatchObject({ name: "open.page", namespace: "mcp__browser__" });
    expect(response.tools).toMatchObject([{ ...browser, description: "" }]);
    expect((await openai.responses.retrieve(response.id)).output).toEqual(response.output);
    const answered = await openai.responses.create({
      input: [
        { role: "user", content: "Open it" },
        { ...call, id: call.id ?? "" },
        { type: "function_call_output", call_id: call.call_id, output: "Opened" },
      ],
      tools: [browser],
    });
    expect(answered.output_text).toBe("It says: Opened");
    const chats = await Promise.all([response, answered].map(answerOf));
    expect(chats[0]?.parts).toMatchObject([{}, { type: `tool-${sent}` }]);
    const called = models()
      .requests.at(-1)
      ?.messages.flatMap(({ tool_calls }) => tool_calls ?? []);
    expect(called).toMatchObject([{ function: { name: sent } }]);
  });

  test("that take a text are functions with one argument, and get the text", async () => {
    const openai = await client();
    models().call = '{"input":"*** Begin Patch"}';
    const asked = await openai.responses.create({ input: "Change it", tools: [patch] });
    expect(sentTools()).toMatchObject([
      {
        name: "apply_patch",
        description: expect.stringContaining("start: WORD"),
        parameters: { required: ["input"] },
      },
    ]);
    const [call] = asked.output;
    if (call?.type !== "custom_tool_call") throw new Error("No tool was called.");
    expect(call).toMatchObject({ name: "apply_patch", input: "*** Begin Patch" });
    const result = {
      type: "custom_tool_call_output",
      call_id: call.call_id,
      output: "Done",
    } as const;
    const answered = await openai.responses.create({
      previous_response_id: asked.id,
      input: [result],
      tools: [patch],
    });
    expect(answered.output_text).toBe("It says: Done");
    const items = await openai.responses.inputItems.list(answered.id);
    expect(items.data).toMatchObject([result]);
    const run = await owner().runs.get(asked.id.slice("resp_".length));
    const listed = await openai.conversations.items.list(`conv_${run?.sessionId}`, {
      order: "asc",
    });
    expect(listed.data.map(({ type }) => type)).toEqual([
      "message",
      "custom_tool_call",
      "custom_tool_call_output",
      "message",
    ]);
  });

  test("that OpenAI's servers run are left out, which the answer says", {
    tags: "long",
  }, async () => {
    const openai = await client();
    const response = await openai.responses.create({
      input: "Search it",
      tools: [{ type: "web_search" }, { type: "image_generation" }],
      tool_choice: { type: "web_search_preview" },
    });
    expect(response.output_text).toBe("You said: Search it");
    expect(response.tools).toEqual([]);
    expect((await answerOf(response))?.metadata).toMatchObject({
      leftOut: { hostedTools: ["web_search", "image_generation"] },
    });
  });

  test("are those that the choice allows", async () => {
    const openai = await client();
    const function_ = { type: "function", name: weather.name } as const;
    await openai.responses.create({
      input: "Which?",
      tools: [patch, weather],
      tool_choice: { type: "allowed_tools", mode: "required", tools: [function_] },
    });
    expect(sentTools()?.map((each) => each?.name)).toEqual([weather.name]);
    const unknown = openai.responses.create({
      input: "Which?",
      tools: [patch],
      tool_choice: function_,
    });
    await expect(unknown).rejects.toMatchObject({ status: 400, param: "tool_choice" });
  });
});

describe("tools of a chat completion", () => {
  const { type, name, ...described } = weather;
  const tools = [{ type, function: { name, ...described } }];
  const question = { role: "user", content: "Weather?" } as const;

  test("are called piece by piece", async () => {
    const openai = await client();
    models().call = '{"city":"Oslo, in Norway"}';
    const chunks = await Array.fromAsync(
      await openai.chat.completions.create({
        model: "compatible:fake/echo",
        messages: [question],
        tools,
        stream: true,
      }),
    );
    const pieces = chunks.flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? []);
    expect(pieces[0]).toMatchObject({ id: "call_1", function: { name, arguments: "" } });
    expect(pieces.map((piece) => piece.function?.arguments).join("")).toBe(models().call);
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe("tool_calls");
  });

  test("are read before anything is stored", async () => {
    const openai = await client();
    const before = (await owner().store.sessions.list({ limit: 500 })).sessions.length;
    const asked = { model: "compatible:fake/echo", messages: [question], tools };
    const choice = { type: "function", function: { name: "no_such_tool" } } as const;
    const refused = openai.chat.completions.create({ ...asked, tool_choice: choice });
    await expect(refused).rejects.toMatchObject({ status: 400, param: "tool_choice" });
    expect((await owner().store.sessions.list({ limit: 500 })).sessions).toHaveLength(before);
  });

  test("that take a text get it, and their results go on in the same chat", {
    tags: "long",
  }, async () => {
    const openai = await client();
    models().call = '{"input":"*** Begin Patch"}';
    const custom = { type: "custom", custom: { name: "apply_patch" } } as const;
    const ask = (messages: OpenAI.ChatCompletionMessageParam[]) =>
      openai.chat.completions.create({ model: "compatible:fake/echo", messages, tools: [custom] });
    const asked = await ask([question]);
    const message = asked.choices[0]?.message;
    const [call] = message?.tool_calls ?? [];
    if (!message || call?.type !== "custom") throw new Error("No tool was called.");
    expect(call.custom).toEqual({ name: "apply_patch", input: "*** Begin Patch" });
    const result = { role: "tool", tool_call_id: call.id, content: "Done" } as const;
    const answered = await ask([question, message, result]);
    expect(answered.choices[0]?.message.content).toBe("It says: Done");
    const runs = await Promise.all(
      [asked, answered].map(({ id }) => owner().runs.get(id.slice("chatcmpl-".length))),
    );
    expect(runs[1]?.sessionId).toBe(runs[0]?.sessionId);
    expect(
      await owner()
        .store.messages(runs[1]?.sessionId ?? "")
        .getPathLength(runs[1]?.messageId),
    ).toBe(4);
  });
});
