import { expect, test } from "vitest";
import type { ModelProvider } from "./model-provider";
import { listModels } from "./protocols";

function provider(kind: ModelProvider["kind"], baseUrl = "https://api.test/v1"): ModelProvider {
  return { id: kind, kind, label: kind, baseUrl, apiKey: "secret-key", api: "chat", models: null };
}

/** Answers every request with `body`, and records requests. */
async function list(of: ModelProvider, body: unknown) {
  const asked: { url: string; headers: Headers; redirect: unknown }[] = [];
  const fetch: typeof globalThis.fetch = async (url, init) => {
    asked.push({ url: String(url), headers: new Headers(init?.headers), redirect: init?.redirect });
    return Response.json(body);
  };
  const { models, leftOut } = await listModels(of, { fetch, timeoutMs: 1000 });
  return { models, leftOut, asked: asked[0] };
}

test("reads OpenAI's list without the models that cannot chat", async () => {
  const ids = [
    "gpt-5",
    "text-embedding-3-small",
    "gpt-3.5-turbo-instruct",
    "gpt-realtime",
    "dall-e-3",
  ];
  const { models, asked } = await list(provider("openai"), { data: ids.map((id) => ({ id })) });
  expect(models.map(({ id }) => id)).toEqual(["gpt-5"]);
  expect(asked?.url).toBe("https://api.test/v1/models");
  expect(asked?.headers.get("authorization")).toBe("Bearer secret-key");
});

test("keeps the instruct models of open servers, which are their chat models", async () => {
  const data = [{ id: "llama-3.1-8b-instruct", context_length: 131_072 }, { id: "bge-embed" }];
  const { models } = await list(provider("compatible"), { data });
  expect(models).toEqual([{ id: "llama-3.1-8b-instruct", contextWindow: 131_072 }]);
});

test("reads the prices a server lists per token as prices per million", async () => {
  const data = [
    { id: "a", pricing: { prompt: "0.000002", completion: "0.00001" } },
    { id: "b", pricing: { prompt: "free", completion: null } },
  ];
  const { models } = await list(provider("compatible"), { data });
  expect(models[0]?.price?.inputPerMillion).toBeCloseTo(2, 10);
  expect(models[0]?.price?.outputPerMillion).toBeCloseTo(10, 10);
  expect(models[1]?.price).toBeUndefined();
});

test("reads Anthropic's list with its own way of showing the key", async () => {
  const body = { data: [{ type: "model", id: "claude-x", display_name: "Claude X" }] };
  const { models, asked } = await list(provider("anthropic"), body);
  expect(models).toEqual([{ id: "claude-x", label: "Claude X" }]);
  expect(asked?.headers.get("x-api-key")).toBe("secret-key");
  expect(asked?.headers.get("anthropic-version")).toBe("2023-06-01");
});

test("reads Google's list with its limits, without the models that cannot chat", async () => {
  const chat = ["generateContent", "countTokens"];
  const body = {
    models: [
      {
        name: "models/gemini-x",
        displayName: "Gemini X",
        inputTokenLimit: 1_048_576,
        outputTokenLimit: 65_536,
        supportedGenerationMethods: chat,
      },
      { name: "models/gemini-x-image", supportedGenerationMethods: chat },
      { name: "models/embedding-001", supportedGenerationMethods: ["embedContent"] },
    ],
  };
  const { models, asked } = await list(provider("google"), body);
  expect(models).toEqual([
    { id: "gemini-x", label: "Gemini X", contextWindow: 1_048_576, maxOutput: 65_536 },
  ]);
  expect(asked?.headers.get("x-goog-api-key")).toBe("secret-key");
});

test("never follows a redirect, which could carry the key to another host", async () => {
  const { asked } = await list(provider("anthropic"), { data: [] });
  expect(asked?.redirect).toBe("error");
});

test("refuses an answer that is not a list of models", async () => {
  await expect(list(provider("openai"), { items: [] })).rejects.toThrow();
});

test("refuses an answer without an end", async () => {
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(1024 * 1024)),
  });
  const fetch: typeof globalThis.fetch = async () => new Response(endless);
  await expect(listModels(provider("local"), { fetch, timeoutMs: 5000 })).rejects.toThrow(
    "too long",
  );
});

test.each([
  ["an empty entry", [{}, { id: "a" }]],
  ["a name that is no text", [{ id: ["b"] }, { id: "a" }]],
  ["nothing at all", [null, { id: "a" }]],
  ["an entry that is a list", [[], { id: "a" }]],
])("leaves out %s of a list, counts it, and keeps the others", async (_, data) => {
  const { models, leftOut } = await list(provider("compatible"), { data });
  expect(models.map(({ id }) => id)).toEqual(["a"]);
  expect(leftOut).toBe(1);
});

test("reads numeric ids, odd facts and twins", async () => {
  const data = [
    {
      id: 7,
      name: 12,
      context_length: "long",
      meta: 3,
      architecture: [],
      supported_parameters: {},
    },
    { id: "7" },
    { id: "b", pricing: "cheap", top_provider: null },
  ];
  const { models, leftOut } = await list(provider("compatible"), { data });
  expect(models.map(({ id }) => id)).toEqual(["7", "b"]);
  expect(leftOut).toBe(0);
});

test.each([
  ["alone", ["a", "b"].map((id) => ({ id }))],
  ["as models", { models: [{ id: "a" }, { id: "b" }] }],
])("reads a list that comes %s", async (_, body) => {
  const { models } = await list(provider("compatible"), body);
  expect(models.map(({ id }) => id)).toEqual(["a", "b"]);
});

test("reads the models of Google whose methods are not listed", async () => {
  const models = [
    { name: "models/gemini-x" },
    { name: "models/embed", supportedGenerationMethods: ["embedContent"] },
    { name: 4 },
  ];
  const read = await list(provider("google"), { models });
  expect(read.models.map(({ id }) => id)).toEqual(["gemini-x"]);
  expect(read.leftOut).toBe(1);
});
