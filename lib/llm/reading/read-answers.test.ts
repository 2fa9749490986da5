import { isStepCount, streamText, tool } from "ai";
import { expect, test } from "vitest";
import { z } from "zod";
import { modelOf } from "@/lib/llm/testing/streamed-answer";
import { readingThoughts } from "./read-answers";

const chunk = (delta: object, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
const asked = chunk({
  tool_calls: [
    { index: 0, id: "c", type: "function", function: { name: "look", arguments: "{}" } },
  ],
});
const done = "data: [DONE]\n\n";

/** The answer that the second step's request holds. */
async function sentBack(deltas: readonly string[]): Promise<unknown> {
  const bodies: string[] = [];
  const texts = deltas.map((content) => chunk({ content })).join("");
  const answers = [
    texts + asked + chunk({}, "tool_calls") + done,
    chunk({ content: "Seen." }) + chunk({}, "stop") + done,
  ];
  const fetch: typeof globalThis.fetch = async (_, init) => {
    bodies.push(String(init?.body));
    return new Response(answers[bodies.length - 1]);
  };
  const { stream } = streamText({
    model: modelOf("compatible", { fetch }),
    prompt: "Question",
    tools: { look: tool({ inputSchema: z.object({}), execute: () => "seen" }) },
    stopWhen: isStepCount(2),
    maxRetries: 0,
  });
  for await (const _ of stream);
  const { messages } = JSON.parse(bodies[1] ?? "{}") as { messages: Record<string, unknown>[] };
  return messages.find(({ role }) => role === "assistant");
}

test.each([
  [
    "closes without an opening",
    ["Hm.</thi", "nk>Word"],
    { content: "Word", reasoning_content: "Hm." },
  ],
  ["is whole", ["<think>Hm.</think>Word"], { content: "Word", reasoning_content: "Hm." }],
  ["is all there is", ["Hm.</think>"], { content: null, reasoning_content: "Hm." }],
  ["never closes", ["<think>Hm."], { content: "<think>Hm." }],
])("A later step sends no thought as text that %s", async (_, deltas, sent) => {
  const answer = await sentBack(deltas);
  expect(answer).toMatchObject(sent);
  expect(JSON.stringify(answer)).not.toContain("grove");
});

test("A prompt without marks goes on as it is", async () => {
  const content = [{ type: "text" as const, text: "Word", providerOptions: { server: { id: 1 } } }];
  const prompt = [{ role: "assistant" as const, content }];
  const model = modelOf("compatible", {});
  const params = await readingThoughts.transformParams?.({
    type: "stream",
    params: { prompt },
    model,
  });
  expect(params?.prompt).toBe(prompt);
});
