import { isStepCount, type ModelMessage, streamText, type ToolSet, tool } from "ai";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { describeModelError } from "@/lib/llm/describe-model-error";
import { groveOptions } from "@/lib/llm/grove-options";
import { createDemoModel } from "./demo-model";

const model = createDemoModel({ delayMs: 0 });

type Ask = {
  tools?: ToolSet;
  instructions?: string;
  messages?: ModelMessage[];
  variation?: number;
  maxOutputTokens?: number;
};

/** Asks the demo model through the AI SDK, tool loop included, and collects everything that came back. */
async function ask(question: string, options: Ask = {}) {
  const errors: unknown[] = [];
  const { messages = [], variation = 0, ...rest } = options;
  const result = streamText({
    model,
    messages: [...messages, { role: "user", content: question }],
    providerOptions: groveOptions({ variation }),
    stopWhen: isStepCount(5),
    onError: () => {},
    ...rest,
  });
  const seen = { text: "", reasoning: "", parts: [] as string[], finish: "" };
  try {
    for await (const part of result.stream) {
      seen.parts.push(part.type);
      if (part.type === "text-delta") seen.text += part.text;
      if (part.type === "reasoning-delta") seen.reasoning += part.text;
      if (part.type === "finish") seen.finish = part.finishReason;
      if (part.type === "error") errors.push(part.error);
    }
  } catch (error) {
    errors.push(error);
  }
  return { ...seen, errors };
}

/** Memory tools that record what they were called with and answer like the real ones. */
function memoryTools(answers: Partial<Record<string, string>> = {}) {
  const calls: { name: string; input: unknown }[] = [];
  const recorded = (name: string, answer: string) => async (input: unknown) => {
    calls.push({ name, input });
    return answers[name] ?? answer;
  };
  const tools = {
    set_context: tool({
      inputSchema: z.object({
        label: z.enum(["memory", "todos"]),
        content: z.string(),
        action: z.enum(["replace", "append"]),
        metadata: z.object({ title: z.string() }).optional(),
      }),
      execute: recorded("set_context", "Written to memory. Usage: 2% (9/500 tokens)"),
    }),
    load_context: tool({
      inputSchema: z.object({ label: z.enum(["skills"]), key: z.string() }),
      execute: recorded("load_context", "# Meeting notes\nWrite down who decided what."),
    }),
    unload_context: tool({
      inputSchema: z.object({ label: z.string(), key: z.string() }),
      execute: recorded("unload_context", "Unloaded. Context reclaimed."),
    }),
    search_context: tool({
      inputSchema: z.object({ label: z.enum(["knowledge"]), query: z.string() }),
      execute: recorded("search_context", "No results found."),
    }),
    session_search: tool({
      inputSchema: z.object({ query: z.string() }),
      execute: recorded("session_search", "Ann: I like apple trees."),
    }),
  };
  return { tools, calls };
}

describe("the demo model's tools", () => {
  test("writes a fact about the person to memory and says what came of it", async () => {
    const { tools, calls } = memoryTools();
    const answer = await ask("My name is Ann.", { tools });
    expect(calls).toEqual([
      { name: "set_context", input: { label: "memory", content: "- Name: Ann", action: "append" } },
    ]);
    expect(answer.text).toContain("I will remember that your name is Ann.");
    expect(answer.text).not.toContain("tokens");
    expect(answer.finish).toBe("stop");
  });

  test("writes a thing to do to the list", async () => {
    const { tools, calls } = memoryTools();
    await ask("todo: water the plants", { tools });
    expect(calls[0]?.input).toEqual({
      label: "todos",
      content: "- [ ] water the plants",
      action: "append",
    });
  });

  test("does two things at once when asked for two", async () => {
    const { tools, calls } = memoryTools();
    await ask("My name is Ann.\ntodo: buy milk", { tools });
    expect(calls).toHaveLength(2);
  });

  test("searches conversations and quotes what it found", async () => {
    const { tools, calls } = memoryTools();
    const answer = await ask("Did we talk about apple trees?", { tools });
    expect(calls).toEqual([{ name: "session_search", input: { query: "apple trees" } }]);
    expect(answer.text).toContain("> Ann: I like apple trees.");
  });

  test("searches knowledge when it is named, or when nothing else is offered", async () => {
    const { tools, calls } = memoryTools();
    const answer = await ask("search my documents for oak", { tools });
    await ask("search for oak", { tools: { search_context: tools.search_context } });
    const input = { label: "knowledge", query: "oak" };
    expect(calls).toEqual([
      { name: "search_context", input },
      { name: "search_context", input },
    ]);
    expect(answer.text).toContain("found nothing");
  });

  test("loads the skill whose key the prompt mentions, and unloads it again", async () => {
    const { tools, calls } = memoryTools();
    const instructions = "- Meeting_Notes: how to take notes";
    const loaded = await ask("use the meeting notes skill", { tools, instructions });
    expect(loaded.text).toContain("> **Meeting notes** Write down");
    await ask("unload the Meeting_Notes skill", { tools, instructions });
    const input = { label: "skills", key: "Meeting_Notes" };
    expect(calls).toEqual([
      { name: "load_context", input },
      { name: "unload_context", input },
    ]);
  });

  test("unloads what was loaded last when no name is given", async () => {
    const { tools, calls } = memoryTools();
    const messages: ModelMessage[] = [
      { role: "user", content: "load skill tea" },
      {
        role: "assistant",
        content: [
          {
            type: "tool-call",
            toolCallId: "1",
            toolName: "load_context",
            input: { label: "skills", key: "tea" },
          },
        ],
      },
      {
        role: "tool",
        content: [
          {
            type: "tool-result",
            toolCallId: "1",
            toolName: "load_context",
            output: { type: "text", value: "Tea." },
          },
        ],
      },
      { role: "assistant", content: "Loaded." },
    ];
    await ask("unload it", { tools, messages });
    expect(calls).toEqual([{ name: "unload_context", input: { label: "skills", key: "tea" } }]);
  });

  test("says so when a tool fails", async () => {
    const { tools } = memoryTools({ set_context: "Error: Block is full" });
    expect((await ask("My name is Ann.", { tools })).text).toContain(
      "did not work: Error: Block is full",
    );
  });

  test("calls nothing that is not offered, or that refuses the values", async () => {
    const calls: unknown[] = [];
    const onlyTodos = tool({
      inputSchema: z.object({ label: z.enum(["todos"]), content: z.string(), action: z.string() }),
      execute: async (input) => calls.push(input),
    });
    const answer = await ask("My name is Ann.", { tools: { set_context: onlyTodos } });
    expect(calls).toEqual([]);
    expect(answer.text).toContain("no tool here");
    expect((await ask("search for oak")).text).toContain("no tool here");
  });

  test("reads its memory out of the system prompt", async () => {
    const rule = "═".repeat(46);
    const instructions = `${rule}\nMEMORY (facts) [2% — 9/500 tokens] [writable]\n${rule}\n- Name: Ann\n\n${rule}\nTODOS [writable]\n${rule}\n`;
    expect((await ask("What is my name?", { instructions })).text).toContain("- Name: Ann");
    expect((await ask("show my todos", { instructions })).text).toContain("Your list is empty");
  });
});

describe("the demo model's answers", () => {
  test("are the same for the same prompt, and differ for each of seven variations", async () => {
    const answers = await Promise.all(
      [0, 1, 2, 3, 4, 5, 6, 0].map(async (variation) => (await ask("Hello", { variation })).text),
    );
    expect(new Set(answers).size).toBe(7);
    expect(answers[7]).toBe(answers[0]);
  });

  test.each([
    ["show me a table", "| --- |"],
    ["write some code", "```ts"],
    ["a formula please", "$$"],
    ["how do branches work?", "1. "],
    ["Hello", "- **"],
    [
      "Explain how trees trade water through their roots, with a table and a little code.",
      "| --- |",
    ],
    ["Explain how trees trade water through their roots, with a table and a little code.", "```ts"],
    ["Suggest a name for a small bakery. I'll ask again and compare.", "**"],
  ])("to %j hold Markdown", async (question, markdown) => {
    expect((await ask(question)).text).toContain(markdown);
  });

  test("to the ways to begin are about what was asked for", async () => {
    const trees = await ask("Explain how trees trade water through their roots");
    expect(trees.text).toContain("deep roots draw up water");
    const bakery = "Suggest a name for a small bakery. I'll ask again and compare.";
    const names = await Promise.all(
      [0, 1, 2].map(
        async (variation) => /\*\*(.+?)\*\*/.exec((await ask(bakery, { variation })).text)?.[1],
      ),
    );
    expect(new Set(names).size).toBe(3);
  });

  test("quote a question with one full stop, and hold no formula that is only a number", async () => {
    expect((await ask("Tell me about tea.")).text).toContain("“Tell me about tea.” I am");
    expect((await ask("Tell me about tea")).text).toContain("“Tell me about tea”. I am");
    expect((await ask("a formula please")).text).not.toMatch(/\$\d+\$/);
  });

  test("go on for ten thousand words when asked for something endless", {
    tags: "long",
  }, async () => {
    const words = (await ask("Write an endless essay")).text.split(/\s+/).length;
    expect(words).toBeGreaterThan(8_000);
  });

  test("are about eight hundred words when asked for something long", async () => {
    const words = (await ask("Write something long")).text.split(/\s+/).length;
    expect(words).toBeGreaterThan(700);
    expect(words).toBeLessThan(950);
  });

  test("come word by word", async () => {
    const { parts } = await ask("Hello");
    expect(parts.filter((type) => type === "text-delta").length).toBeGreaterThan(20);
  });

  test("begin with thoughts when asked to think", async () => {
    const { parts, reasoning } = await ask("Think first: what is a tree?");
    expect(reasoning).toContain("what is a tree?");
    expect(parts.indexOf("reasoning-start")).toBeLessThan(parts.indexOf("text-start"));
  });

  test("end at the limit they are given, and say so", async () => {
    const { text, finish } = await ask("Write something long", { maxOutputTokens: 10 });
    expect(text.length).toBeLessThanOrEqual(40);
    expect(finish).toBe("length");
  });

  test("report an estimate of the tokens used", async () => {
    const result = streamText({ model, prompt: "Hello" });
    const { inputTokens, outputTokens } = await result.usage;
    expect(inputTokens).toBeGreaterThan(5);
    expect(outputTokens).toBeGreaterThan(50);
  });
});

describe("the demo model's failures", () => {
  test.each([
    ["simulate an error", "overloaded"],
    ["simulate a rate limit", "rate-limited"],
    ["please simulate a bad key", "bad-key"],
    ["simulate an overload", "overloaded"],
    ["simulate a context overflow", "context-overflow"],
    ["simulate a cut connection", "cut"],
  ])("%s: %s", async (question, code) => {
    const { errors } = await ask(question);
    expect(errors.map((error) => describeModelError(error).code)).toContain(code);
  });

  test.each(["simulate an error", "simulate a cut"])(
    "%s comes after part of an answer",
    async (question) => {
      const { text, errors } = await ask(question);
      expect(text.length).toBeGreaterThan(20);
      expect(errors.length).toBeGreaterThan(0);
    },
  );

  test("never come from an ordinary question about errors", async () => {
    expect((await ask("Why does my code throw an error?")).errors).toEqual([]);
  });

  test("refuses a prompt that does not fit its window, but still sums it up", async () => {
    const large = "word ".repeat(8000);
    expect(describeModelError((await ask(large)).errors[0]).code).toBe("context-overflow");
    const result = streamText({
      model,
      prompt: `user: ${large}`,
      providerOptions: groveOptions({ purpose: "summary" }),
    });
    expect(await result.text).toContain("## Key Points");
  });
});

describe("stopping the demo model", () => {
  test("ends the answer between two words, at any speed", async () => {
    const stop = new AbortController();
    const slow = createDemoModel({ delayMs: 5 });
    const { stream } = streamText({ model: slow, prompt: "long", abortSignal: stop.signal });
    const seen: string[] = [];
    for await (const part of stream) {
      seen.push(part.type);
      if (part.type === "text-delta") stop.abort();
    }
    expect(seen.filter((type) => type === "text-delta").length).toBeLessThan(5);
    expect(seen.at(-1)).toBe("abort");
  });
});
