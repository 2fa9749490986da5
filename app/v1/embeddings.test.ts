import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeEach, expect, test } from "vitest";
import { clientWith, serveV1 } from "./testing/v1-server";

interface Asked {
  readonly input: readonly string[];
  readonly dimensions?: number;
}

const requests: Asked[] = [];
let refusal: { status: number; message: string } | null = null;

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const asked: Asked = JSON.parse(Buffer.concat(chunks).toString());
  requests.push(asked);
  const { status = 200, message } = refusal ?? {};
  response.writeHead(status, { "content-type": "application/json" });
  const data = asked.input.map((text) => ({ embedding: [text.length, 0.5] }));
  const usage = { prompt_tokens: 9 };
  response.end(JSON.stringify(message ? { error: { message } } : { data, usage }));
}).listen(0, "127.0.0.1");
await once(server, "listening");
const { port } = server.address() as AddressInfo;

const { keyWith, client, owner } = serveV1({
  OPENAI_API_KEY: "sk-none",
  OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
  ANTHROPIC_API_KEY: "sk-none",
  ANTHROPIC_BASE_URL: "http://127.0.0.1:9/v1",
});
const model = "openai/text-embedding-3-small";

beforeEach(() => {
  requests.length = 0;
  refusal = null;
});
afterAll(async () => {
  server.close();
  await once(server, "close");
});

test("embeddings come from the provider of the model, in the form that a client asks for", async () => {
  const openai = await client();
  const input = ["a tree", "birds"];
  const made = await openai.embeddings.create({ model, input, dimensions: 2 });
  expect(made).toMatchObject({
    data: [
      { index: 0, embedding: [6, 0.5] },
      { index: 1, embedding: [5, 0.5] },
    ],
    model,
    usage: { prompt_tokens: 9, total_tokens: 9 },
  });
  expect(requests).toMatchObject([{ input, dimensions: 2 }]);
  const plain = await openai.embeddings.create({ model, input: "one", encoding_format: "float" });
  expect(plain.data[0]?.embedding).toEqual([3, 0.5]);
});

test("a key's alias names a model of embeddings, and the use is noted for the key", async () => {
  const { key, secret } = await keyWith({ aliases: { "text-embedding-3-small": model } });
  const openai = clientWith(secret);
  await openai.embeddings.create({ model: "text-embedding-3-small", input: "one" });
  const sums = await owner().usage.sums({ timeZone: "UTC", days: null });
  expect(sums.find(({ by, name }) => by === "kind" && name === "embedding")).toBeDefined();
  expect(sums.filter(({ by, name }) => by === "session" && name === "")).toEqual([]);
  expect((await owner().keys.get(key.id))?.monthCost).toBeGreaterThan(0);
});

test.each([
  ["of a provider without any", { model: "anthropic/claude-sonnet-5", input: "x" }, 400, "model"],
  ["of an unknown provider", { model: "nobody/m", input: "x" }, 404, null],
  ["of nothing", { model, input: [] }, 400, "input"],
  ["of tokens", { model, input: [1, 2, 3] }, 400, "input"],
  ["of too many texts", { model, input: Array.from({ length: 2_049 }, () => "x") }, 400, "input"],
  ["of too long a text", { model, input: "x".repeat(2_000_001) }, 400, "input"],
])("embeddings %s are refused", async (_, asked, status, param) => {
  const openai = await client();
  await expect(openai.embeddings.create(asked)).rejects.toMatchObject({ status, param });
  expect(requests).toEqual([]);
});

test("a key for other models, or for reading, makes none", async () => {
  const asked = { model, input: "x" };
  for (const scopes of [{ models: ["openai/gpt-5"] }, { canWrite: false }]) {
    const openai = await client(scopes);
    await expect(openai.embeddings.create(asked)).rejects.toMatchObject({ status: 403 });
  }
});

test("a refusal of the provider is the program's, in its words", async () => {
  refusal = { status: 400, message: "This model makes no embeddings." };
  const openai = await client();
  await expect(openai.embeddings.create({ model, input: "x" })).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining("This model makes no embeddings."),
  });
});
