import { describe, expect, test } from "vitest";
import { discoverLocalModels } from "./local-source";

type Answers = Record<string, unknown>;

/** A network where only the given addresses answer; records requests. */
function network(answers: Answers) {
  const asked: string[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const url = String(input);
    asked.push(url);
    const body = typeof init?.body === "string" ? ` ${init.body}` : "";
    const answer = answers[url + body] ?? answers[url];
    if (answer === undefined) throw new TypeError("fetch failed");
    return answer instanceof Response ? answer : Response.json(answer);
  };
  return { fetch, asked };
}

function discover(answers: Answers, environment: Record<string, string> = {}) {
  return discoverLocalModels({ fetch: network(answers).fetch, timeoutMs: 500, environment });
}

const lmStudio = "http://127.0.0.1:1234/v1/models";
const tags = "http://127.0.0.1:11434/api/tags";
const show = "http://127.0.0.1:11434/api/show";

describe("discoverLocalModels", () => {
  test("finds the models of servers that answer on this machine", async () => {
    const found = await discover({
      [lmStudio]: { data: [{ id: "qwen3-8b" }, { id: "text-embedding-nomic" }] },
      "http://127.0.0.1:8000/v1/models": { data: [{ id: "meta/llama", max_model_len: 32_768 }] },
      "http://127.0.0.1:8080/v1/models": { data: [{ id: "gemma", meta: { n_ctx: 8192 } }] },
    });
    expect(
      found.map(({ provider, models }) => [
        provider.id,
        models.map((m) => [m.id, m.contextWindow]),
      ]),
    ).toEqual([
      ["local:lm-studio", [["qwen3-8b", undefined]]],
      ["local:llama.cpp", [["gemma", 8192]]],
      ["local:vllm", [["meta/llama", 32_768]]],
    ]);
    expect(found[0]?.provider).toMatchObject({ baseUrl: "http://127.0.0.1:1234/v1", apiKey: null });
  });

  test("asks Ollama what each model can do, and leaves out those that cannot chat", async () => {
    const found = await discover({
      [tags]: { models: [{ name: "qwen3:8b" }, { name: "nomic-embed" }, { name: "old" }] },
      [`${show} {"model":"qwen3:8b"}`]: {
        capabilities: ["completion", "tools", "thinking"],
        model_info: { "qwen3.context_length": 40_960 },
      },
      [`${show} {"model":"nomic-embed"}`]: { capabilities: ["embedding"] },
    });
    expect(found[0]?.models).toEqual([
      {
        id: "qwen3:8b",
        contextWindow: 4096,
        capabilities: { tools: true, reasoning: true, images: false, pdfs: false },
      },
      { id: "old", contextWindow: 4096 },
    ]);
  });

  test("believes the window Ollama was started with, up to what the model was trained for", async () => {
    const answers = {
      [tags]: { models: [{ name: "small" }] },
      [show]: { capabilities: ["completion"], model_info: { "llama.context_length": 8192 } },
    };
    const found = await discover(answers, { OLLAMA_CONTEXT_LENGTH: "32768" });
    expect(found[0]?.models[0]?.contextWindow).toBe(8192);
  });

  test("asks only this machine, at the configured ports", async () => {
    const { fetch, asked } = network({});
    const environment = { GROVE_LOCAL_PORTS: "ollama=11500, vllm=9000,nonsense,lm-studio=x" };
    expect(await discoverLocalModels({ fetch, timeoutMs: 500, environment })).toEqual([]);
    expect(asked.toSorted()).toEqual([
      "http://127.0.0.1:11500/api/tags",
      "http://127.0.0.1:1234/v1/models",
      "http://127.0.0.1:8080/v1/models",
      "http://127.0.0.1:9000/v1/models",
    ]);
  });

  test("asks nobody at all when it is switched off", async () => {
    const { fetch, asked } = network({});
    await discoverLocalModels({
      fetch,
      timeoutMs: 500,
      environment: { GROVE_DISCOVER_LOCAL: "0" },
    });
    expect(asked).toEqual([]);
  });

  test.each([
    ["a page", new Response("<html>hello</html>")],
    ["another shape", { data: "models" }],
    ["an error", new Response("no", { status: 500 })],
    ["no models", { data: [] }],
    ["models without a name", { data: [{}] }],
  ])("passes over a server that answers with %s", async (_, answer) => {
    expect(await discover({ [lmStudio]: answer })).toEqual([]);
  });

  test("gives up on a server that accepts and says nothing", async () => {
    const silent: typeof globalThis.fetch = (_, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener("abort", () => reject(init.signal?.reason));
      });
    expect(await discoverLocalModels({ fetch: silent, timeoutMs: 20, environment: {} })).toEqual(
      [],
    );
  });
});
