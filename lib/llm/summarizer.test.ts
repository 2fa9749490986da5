import type { LanguageModelV4FinishReason, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { convertArrayToReadableStream, MockLanguageModelV4 } from "ai/test";
import { describe, expect, test } from "vitest";
import { createDemoModel } from "@/lib/demo/demo-model";
import { describeModelError } from "./describe-model-error";
import { createSummarizer, SummaryError } from "./summarizer";

function modelSaying(
  text: string,
  unified: LanguageModelV4FinishReason["unified"],
  more: LanguageModelV4StreamPart[] = [],
): MockLanguageModelV4 {
  return new MockLanguageModelV4({
    doStream: async () => ({
      stream: convertArrayToReadableStream<LanguageModelV4StreamPart>([
        { type: "text-start", id: "1" },
        { type: "text-delta", id: "1", delta: text },
        { type: "text-end", id: "1" },
        ...more,
        {
          type: "finish",
          finishReason: { unified, raw: undefined },
          usage: {
            inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
            outputTokens: { total: 1, text: 1, reasoning: 0 },
          },
        },
      ]),
    }),
  });
}

const conversation = "user: How do trees branch?\nassistant: They grow buds.";

async function failureOf(model: MockLanguageModelV4): Promise<unknown> {
  return createSummarizer({ model })(conversation).catch((error: unknown) => error);
}

describe("createSummarizer", () => {
  test("gives what the model wrote, and lets it be watched", async () => {
    const deltas: string[] = [];
    const summarize = createSummarizer({
      model: createDemoModel({ delayMs: 0 }),
      onDelta: (delta) => deltas.push(delta),
    });
    const summary = await summarize(conversation);
    expect(summary).toContain("## Topic\nHow do trees branch?");
    expect(deltas.length).toBeGreaterThan(5);
    expect(deltas.join("").trim()).toBe(summary);
  });

  test.each([
    ["truncated", "half a", "length"],
    ["blank", " \n", "stop"],
    ["refused", "no", "content-filter"],
    ["failed", "half a", "other"],
    ["failed", "half a", "error"],
  ] as const)("refuses a summary that is %s", async (code, text, reason) => {
    const failure = await failureOf(modelSaying(text, reason));
    expect(failure).toBeInstanceOf(SummaryError);
    expect(failure).toMatchObject({ code });
  });

  test("refuses a summary longer than its limit", async () => {
    const summarize = createSummarizer({
      model: createDemoModel({ delayMs: 0 }),
      maxOutputTokens: 5,
    });
    await expect(summarize(conversation)).rejects.toMatchObject({ code: "truncated" });
  });

  test("hands on why the model failed", async () => {
    const overloaded = {
      type: "error",
      error: { message: "Overloaded", type: "overloaded_error" },
    } as const;
    const failure = await failureOf(modelSaying("half", "error", [overloaded]));
    expect(describeModelError(failure).code).toBe("overloaded");
  });

  test("hands on why the model could not be asked", async () => {
    const model = new MockLanguageModelV4({
      doStream: async () => Promise.reject(new TypeError("fetch failed")),
    });
    expect(describeModelError(await failureOf(model)).code).toBe("network");
  });

  test("stops with the signal's reason", async () => {
    const reason = new Error("enough");
    const summarize = createSummarizer({ model: createDemoModel({ delayMs: 0 }) });
    await expect(summarize(conversation, { signal: AbortSignal.abort(reason) })).rejects.toBe(
      reason,
    );
    const always = createSummarizer({
      model: createDemoModel(),
      signal: AbortSignal.abort(reason),
    });
    await expect(always(conversation)).rejects.toBe(reason);
  });
});
