import type OpenAI from "openai";
import { expect, test } from "vitest";
import { attachedFile } from "@/lib/chat/wire/files";
import { serveV1, weather } from "./testing/v1-server";

const { client, models, owner } = serveV1();
const model = "compatible:fake/echo";
const png =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const picture = { type: "image_url", image_url: { url: png } } as const;
const text = `data:text/plain;base64,${Buffer.from("Oaks grow slowly.").toString("base64")}`;

async function pathOf(answer: { id: string }) {
  const run = await owner().runs.get(answer.id.replace(/^\w+?[_-]/, ""));
  return owner()
    .store.messages(run?.sessionId ?? "")
    .getHistory(run?.messageId);
}

test("a chat completion shows its pictures and files to the model and to the person, once", {
  tags: "long",
}, async () => {
  const openai = await client();
  const question: OpenAI.ChatCompletionUserMessageParam = {
    role: "user",
    content: [
      { type: "text", text: "What is this?" },
      picture,
      { type: "file", file: { filename: "oaks.txt", file_data: text } },
    ],
  };
  const first = await openai.chat.completions.create({ model, messages: [question] });
  const sent = JSON.stringify(models().requests.at(-1)?.messages);
  expect(sent).toContain("iVBORw0KGgo");
  expect(sent).toContain("Oaks grow slowly.");
  const answer = { role: "assistant", content: first.choices[0]?.message.content ?? "" } as const;
  const messages = [question, answer, { role: "user", content: "And?" } as const];
  const second = await openai.chat.completions.create({ model, messages });
  const path = await pathOf(second);
  expect(path).toHaveLength(4);
  const files = path[0]?.parts.flatMap((part) => attachedFile(part)?.name ?? []);
  expect(files).toEqual(["Image", "oaks.txt"]);
  const other = { ...question, content: [{ type: "text", text: "What is this?" } as const] };
  const third = await openai.chat.completions.create({ model, messages: [other] });
  expect((await pathOf(third)).at(0)?.id).not.toBe(path[0]?.id);
});

test("a picture in a tool's result is kept for the person, and the answer goes on", async () => {
  const openai = await client();
  const { type, name, ...described } = weather;
  const tools = [{ type, function: { name, ...described } }];
  const question = { role: "user", content: "Look at Oslo" } as const;
  const first = await openai.chat.completions.create({ model, messages: [question], tools });
  const message = first.choices[0]?.message;
  const [call] = message?.tool_calls ?? [];
  if (!message || !call) throw new Error("No tool was called.");
  const result = {
    role: "tool",
    tool_call_id: call.id,
    content: [{ type: "text", text: "A screenshot" }, picture],
  } as unknown as OpenAI.ChatCompletionToolMessageParam;
  const messages = [question, message, result];
  const second = await openai.chat.completions.create({ model, messages, tools });
  expect(second.choices[0]?.message.content).toMatch(/^It says: A screenshot\n\[Image: image\/png/);
  const [, , stored] = await pathOf(second);
  expect(stored?.parts.flatMap((part) => attachedFile(part)?.mediaType ?? [])).toEqual([
    "image/png",
  ]);
});

test("so is one in a function's output of a response", { tags: "long" }, async () => {
  const openai = await client();
  const asked = await openai.responses.create({ input: "Look at Oslo", tools: [weather] });
  const [call] = asked.output;
  if (call?.type !== "function_call") throw new Error("No tool was called.");
  const output = [
    { type: "input_text", text: "A screenshot" },
    { type: "input_image", image_url: png, detail: "auto" },
  ] as const;
  const result = { type: "function_call_output", call_id: call.call_id, output } as const;
  const answered = await openai.responses.create({
    previous_response_id: asked.id,
    input: [{ ...result, output: [...output] }],
  });
  expect(answered.output_text).toMatch(/^It says: A screenshot\n\[Image: image\/png/);
  const stored = (await pathOf(answered)).at(-2);
  expect(stored?.parts.flatMap((part) => attachedFile(part)?.mediaType ?? [])).toHaveLength(1);
});

test("an address is refused, since Grove opens none", async () => {
  const openai = await client();
  const content = [{ type: "image_url", image_url: { url: "https://example.com/a.png" } } as const];
  const refused = openai.chat.completions.create({ model, messages: [{ role: "user", content }] });
  await expect(refused).rejects.toMatchObject({
    status: 400,
    param: "messages[0].content[0].image_url",
  });
});
