import { describe, expect, test } from "vitest";
import { serveV1, weather } from "./testing/v1-server";

const { client, models, owner } = serveV1();
const messagesOf = (sessionId: string) => owner().store.messages(sessionId);

describe("a chat completion", () => {
  const question = { role: "user", content: "Name a tree" } as const;

  test("finds the path of its messages, so that a conversation is one chat", {
    tags: "long",
  }, async () => {
    const openai = await client();
    const model = "compatible:fake/echo";
    const first = await openai.chat.completions.create({ model, messages: [question] });
    const answer = first.choices[0]?.message;
    expect(answer?.content).toBe("You said: Name a tree");
    const more = { role: "user", content: "Another" } as const;
    const messages = [
      question,
      { role: "assistant", content: answer?.content ?? "" } as const,
      more,
    ];
    const second = await openai.chat.completions.create({ model, messages });
    expect(second.choices[0]?.message.content).toBe("You said: Another");
    const run = await owner().runs.get(second.id.slice("chatcmpl-".length));
    expect(await messagesOf(run?.sessionId ?? "").getPathLength(run?.messageId)).toBe(4);
    const again = await openai.chat.completions.create({ model, messages: [question] });
    const sibling = await owner().runs.get(again.id.slice("chatcmpl-".length));
    expect(sibling).toMatchObject({ sessionId: run?.sessionId });
  });

  test("streams, with the usage when asked", { tags: "long" }, async () => {
    const openai = await client();
    const chunks = await Array.fromAsync(
      await openai.chat.completions.create({
        model: "compatible:fake/echo",
        messages: [{ role: "system", content: "Be kind." }, question],
        stream: true,
        stream_options: { include_usage: true },
      }),
    );
    const text = chunks.map(({ choices }) => choices[0]?.delta.content ?? "").join("");
    expect(text).toBe("You said: Name a tree");
    expect(chunks.at(-1)?.usage).toMatchObject({ total_tokens: 10 });
    expect(models().requests[0]?.messages[0]).toMatchObject({
      role: "system",
      content: "Be kind.",
    });
  });

  test("calls the program's tools and takes their results", { tags: "long" }, async () => {
    const openai = await client();
    const model = "compatible:fake/echo";
    const { type, name, ...described } = weather;
    const tools = [{ type, function: { name, ...described } }];
    const first = await openai.chat.completions.create({ model, messages: [question], tools });
    const [choice] = first.choices;
    const [call] = choice?.message.tool_calls ?? [];
    expect(choice?.finish_reason).toBe("tool_calls");
    if (call?.type !== "function") throw new Error("No tool was called.");
    expect(call.function).toEqual({ name: "get_weather", arguments: '{"city":"Oslo"}' });
    const second = await openai.chat.completions.create({
      model,
      messages: [
        question,
        { role: "assistant", tool_calls: [call] },
        { role: "tool", tool_call_id: call.id, content: "Sun" },
      ],
      tools,
    });
    expect(second.choices[0]?.message.content).toBe("It says: Sun");
    const run = await owner().runs.get(second.id.slice("chatcmpl-".length));
    expect(await messagesOf(run?.sessionId ?? "").getPathLength(run?.messageId)).toBe(4);
  });

  test("finds an answer that its program kept without the white space around it", {
    tags: "long",
  }, async () => {
    const openai = await client();
    const model = "compatible:fake/echo";
    const asked = { role: "user", content: "End with a space " } as const;
    const first = await openai.chat.completions.create({ model, messages: [asked] });
    const said = first.choices[0]?.message.content ?? "";
    expect(said).not.toBe(said.trim());
    const messages = [
      asked,
      { role: "assistant", content: said.trim() } as const,
      { role: "user", content: "Go on" } as const,
    ];
    const second = await openai.chat.completions.create({ model, messages });
    const run = await owner().runs.get(second.id.slice("chatcmpl-".length));
    const question = `${run?.parentId}`;
    const path = await messagesOf(run?.sessionId ?? "").getHistory(question);
    expect(path.at(-2)?.id).toBe(first.id.slice("chatcmpl-".length));
  });

  test("takes calls whose arguments are nested too deeply to be read", {
    tags: "long",
  }, async () => {
    const openai = await client();
    const nested = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
    const call = {
      id: "c",
      type: "function",
      function: { name: "deep", arguments: nested },
    } as const;
    const answer = await openai.chat.completions.create({
      model: "compatible:fake/echo",
      messages: [
        { role: "user", content: "Nest it" },
        { role: "assistant", content: null, tool_calls: [call] },
        { role: "tool", tool_call_id: "c", content: "Deep" },
      ],
    });
    expect(answer.choices[0]?.message.content).toBe("It says: Deep");
  });

  test("refuses what it would ignore", async () => {
    const openai = await client();
    const asked = { model: "compatible:fake/echo", messages: [question] };
    await expect(openai.chat.completions.create({ ...asked, n: 2 })).rejects.toMatchObject({
      status: 400,
      param: "n",
    });
  });
});
