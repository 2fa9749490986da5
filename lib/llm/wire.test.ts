import type { LLMock } from "@copilotkit/aimock";
import { tool } from "ai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { describeFinishReason, describeModelError } from "./describe-model-error";
import { askOver, startModelServer, wires } from "./testing/wire";

let server: LLMock;

beforeAll(async () => {
  server = await startModelServer();
});

afterAll(async () => {
  await server.stop();
});

describe.each(wires)("over the $name wire", (wire) => {
  const ask = (question: string, options?: Parameters<typeof askOver>[3]) =>
    askOver(wire, server.url, question, options);

  test("an answer arrives whole, with its usage", async () => {
    expect(await ask("greet")).toEqual({
      text: "Hello, Ann 🌳. How are you?",
      finish: "stop",
      tokens: [20, 7],
      failure: null,
    });
  });

  test("a tool is called and its result is answered", async () => {
    const inputs: unknown[] = [];
    const set_context = tool({
      inputSchema: z.object({ label: z.string(), content: z.string() }),
      execute: async (input) => {
        inputs.push(input);
        return "Written to memory.";
      },
    });
    const { text, finish } = await ask("remember tea", { tools: { set_context } });
    expect(inputs).toEqual([{ label: "memory", content: "tea" }]);
    expect({ text, finish }).toEqual({ text: "I wrote it down.", finish: "stop" });
  });

  test.each([
    ["wrong key", { code: "bad-key", retryable: false }],
    ["too often", { code: "rate-limited", retryable: true, retryAfterMs: 7000 }],
    ["too long", { code: "context-overflow", retryable: false }],
    ["overload", { code: "overloaded", retryable: true }],
  ])("%s is told apart", async (question, expected) => {
    const description = describeModelError((await ask(question)).failure);
    expect(description).toMatchObject(expected);
    expect(JSON.stringify(description)).not.toContain("sk-wire");
  });

  test("an answer that breaks off never looks complete", async () => {
    const { finish, failure } = await ask("cut");
    expect(describeModelError(failure).code).toBe("cut");
    expect(finish === "stop" || finish === "tool-calls").toBe(false);
  });

  test("an answer that is too slow is a timeout", async () => {
    const { failure } = await ask("late", { timeoutMs: 60 });
    expect(describeModelError(failure)).toMatchObject({ code: "timeout", retryable: true });
  });

  test("a server that is not there is a network fault", async () => {
    const { failure } = await askOver(wire, "http://127.0.0.1:1", "greet");
    expect(describeModelError(failure)).toMatchObject({ code: "network", retryable: true });
  });
});

test("an end without a reason to end counts as cut", () => {
  expect(describeFinishReason("other")?.code).toBe("cut");
});
