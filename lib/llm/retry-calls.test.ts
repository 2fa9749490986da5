import { APICallError, streamText } from "ai";
import { describe, expect, test } from "vitest";
import { modelLimits } from "./model-limits";
import { languageModel } from "./protocols";
import { retryDelayMs } from "./retry-calls";

const limits = { ...modelLimits({}), retryPauseMs: 1 };

type Answer = () => Response;

/** The text of an answer from a provider that gives `answers` one after another, and the number of calls. */
async function ask(answers: readonly Answer[]): Promise<{ text: string; calls: number }> {
  let calls = 0;
  const fetch = async () => {
    const answer = answers[calls++];
    if (!answer) throw new Error("No further call was expected.");
    return answer();
  };
  const provider = {
    id: "compatible:test",
    kind: "compatible",
    label: "Test",
    baseUrl: "http://provider.test/v1",
    apiKey: null,
    api: "chat",
    models: null,
  } as const;
  const model = languageModel(provider, "any", { fetch, limits });
  let text = "";
  const { stream } = streamText({ model, prompt: "Hi", maxRetries: 0, onError: () => undefined });
  try {
    for await (const part of stream) if (part.type === "text-delta") text += part.text;
  } catch {
    // A broken connection.
  }
  return { text, calls };
}

function event(choice: object): string {
  return `data: ${JSON.stringify({ id: "1", choices: [{ index: 0, delta: {}, ...choice }] })}\n\n`;
}

const said = event({ delta: { content: "Hello" } });
const whole: Answer = () => new Response(said + event({ finish_reason: "stop" }));
const refused =
  (status: number, headers: Record<string, string> = {}): Answer =>
  () =>
    Response.json({ error: { message: "Busy" } }, { status, headers });
const broken =
  (beginning: string): Answer =>
  () =>
    new Response(
      new ReadableStream<Uint8Array<ArrayBuffer>>({
        start: (controller) => controller.enqueue(new TextEncoder().encode(beginning)),
        pull: (controller) => controller.error(new TypeError("terminated")),
      }),
    );

describe("a call of a model", () => {
  test.each([408, 409, 429, 500, 502, 503, 529])(
    "is repeated after status %i until it is answered",
    async (status) => {
      expect(await ask([refused(status), refused(status), whole])).toEqual({
        text: "Hello",
        calls: 3,
      });
    },
  );

  test("is repeated at most twice", async () => {
    expect((await ask([refused(503), refused(503), refused(503)])).calls).toBe(3);
  });

  test.each([400, 401, 402, 403, 404, 413, 422])(
    "is not repeated after status %i",
    async (status) => {
      expect((await ask([refused(status)])).calls).toBe(1);
    },
  );

  test("is repeated after an error as the first event", async () => {
    const overloaded: Answer = () =>
      new Response(`data: ${JSON.stringify({ error: { message: "Overloaded" } })}\n\n`);
    expect(await ask([overloaded, whole])).toEqual({ text: "Hello", calls: 2 });
  });

  test("is repeated after an empty body and after a connection lost before any text", async () => {
    const empty: Answer = () => new Response("");
    expect(await ask([empty, broken(event({})), whole])).toEqual({ text: "Hello", calls: 3 });
  });

  test("is never repeated once a character was shown", async () => {
    expect(await ask([broken(said)])).toEqual({ text: "Hello", calls: 1 });
  });

  test("is not repeated when the provider asks for a long wait", async () => {
    expect((await ask([refused(429, { "retry-after": "60" })])).calls).toBe(1);
  });
});

test("A retry waits at least as long as the provider asks", () => {
  const error = new APICallError({
    message: "Slow down",
    url: "http://provider.test",
    requestBodyValues: {},
    statusCode: 429,
    responseHeaders: { "retry-after": "3" },
  });
  expect(retryDelayMs(error, 0, limits)).toBe(3_000);
});

test("Pauses between retries grow and differ", () => {
  const busy = new APICallError({
    message: "Busy",
    url: "http://provider.test",
    requestBodyValues: {},
    statusCode: 503,
  });
  const pauses = (failed: number) =>
    Array.from({ length: 50 }, () => retryDelayMs(busy, failed, { retryPauseMs: 100 }) ?? 0);
  expect(Math.min(...pauses(2))).toBeGreaterThan(Math.max(...pauses(0)));
  expect(new Set(pauses(0)).size).toBeGreaterThan(1);
});
