import { describe, expect, it } from "vitest";
import { discoverLocalModels } from "./local-source";
import type { ModelProvider } from "./model-provider";
import { listModels } from "./protocols";

type Answers = Readonly<Record<string, unknown>>;

/** Models of the servers that give these answers; all other addresses are closed. */
async function modelsOf(answers: Answers) {
  const fetch: typeof globalThis.fetch = async (input) => {
    const answer = answers[String(input).replace("http://127.0.0.1:", "")];
    if (answer === undefined) throw new TypeError("fetch failed");
    return answer instanceof Response ? answer : Response.json(answer);
  };
  const found = await discoverLocalModels({ fetch, timeoutMs: 500, environment: {} });
  return found.flatMap(({ models }) => models);
}

const lmStudioIds = { data: [{ id: "qwen2-vl" }, { id: "llama" }, { id: "nomic" }, { id: "new" }] };

describe("what a local server says of its models", () => {
  it("is the loaded window and the type in LM Studio, of the models that chat", async () => {
    const models = await modelsOf({
      "1234/v1/models": lmStudioIds,
      "1234/api/v0/models": {
        data: [
          { id: "qwen2-vl", type: "vlm", state: "not-loaded", max_context_length: 32_768 },
          {
            id: "llama",
            type: "llm",
            state: "loaded",
            max_context_length: 131_072,
            loaded_context_length: 4096,
            capabilities: ["tool_use"],
          },
          { id: "nomic", type: "embeddings", max_context_length: 2048 },
          { type: "llm" },
        ],
      },
    });
    expect(models).toEqual([
      expect.objectContaining({
        id: "qwen2-vl",
        contextWindow: 32_768,
        capabilities: { images: true },
      }),
      expect.objectContaining({
        id: "llama",
        contextWindow: 4096,
        capabilities: { images: false, tools: true },
      }),
      expect.objectContaining({ id: "new" }),
    ]);
  });

  it("is the window of a slot and the modalities in llama.cpp", async () => {
    const models = await modelsOf({
      "8080/v1/models": { data: [{ id: "gemma", meta: { n_ctx: 131_072 } }] },
      "8080/props": {
        default_generation_settings: { n_ctx: 8192 },
        modalities: { vision: true, audio: false },
      },
    });
    expect(models).toMatchObject([{ contextWindow: 8192, capabilities: { images: true } }]);
  });

  it("is num_ctx of the model's file in Ollama, or the window of a loaded model", async () => {
    const models = await modelsOf({
      "11434/api/tags": { models: [{ name: "small:latest" }, { name: "big:latest" }] },
      "11434/api/show": {
        capabilities: ["completion", "vision"],
        parameters:
          'stop                           "<|im_end|>"\nnum_ctx                        16384',
        model_info: { "llama.context_length": 131_072 },
      },
      "11434/api/ps": { models: [{ name: "big:latest", context_length: 65_536 }, {}] },
    });
    expect(models).toMatchObject([
      { id: "small:latest", contextWindow: 16_384, capabilities: { images: true, tools: false } },
      { id: "big:latest", contextWindow: 65_536 },
    ]);
  });

  it.each([
    ["nothing", undefined],
    ["a page", new Response("<html>")],
    ["another shape", { data: 3, default_generation_settings: [], modalities: "text" }],
    ["numbers that are none", { default_generation_settings: { n_ctx: "8k" }, modalities: {} }],
    ["a window of nothing", { default_generation_settings: { n_ctx: 0 } }],
  ])("leaves the list as it is when it is %s", async (_, props) => {
    const models = await modelsOf({
      "8080/v1/models": { data: [{ id: "gemma", meta: { n_ctx: 4096 } }] },
      ...(props !== undefined && { "8080/props": props }),
    });
    expect(models).toMatchObject([{ id: "gemma", contextWindow: 4096 }]);
    expect(models[0]?.capabilities).toBeUndefined();
  });
});

describe("what a server that the person added says of its models", () => {
  const provider: ModelProvider = {
    id: "compatible:box",
    kind: "compatible",
    label: "Box",
    baseUrl: "http://box.test:8080/v1",
    apiKey: "secret-key",
    api: "chat",
    models: null,
  };

  async function listed(answers: Answers) {
    const keys: (string | null)[] = [];
    const fetch: typeof globalThis.fetch = async (input, init) => {
      keys.push(new Headers(init?.headers).get("authorization"));
      const answer = answers[String(input).replace("http://box.test:8080/", "")];
      return answer === undefined ? new Response("", { status: 404 }) : Response.json(answer);
    };
    const { models } = await listModels(provider, { fetch, timeoutMs: 500 });
    return { models, keys };
  }

  it("is read where its list names the product, with its key", async () => {
    const { models, keys } = await listed({
      "v1/models": { data: [{ id: "gemma", owned_by: "llamacpp" }] },
      props: { default_generation_settings: { n_ctx: 8192 }, modalities: { vision: true } },
    });
    expect(models).toEqual([
      expect.objectContaining({
        id: "gemma",
        contextWindow: 8192,
        capabilities: { images: true },
      }),
    ]);
    expect(keys).toEqual(["Bearer secret-key", "Bearer secret-key"]);
  });

  it("leaves the list as it is where it says nothing, and asks no other server", async () => {
    const silent = { "v1/models": { data: [{ id: "gemma", owned_by: "organization_owner" }] } };
    expect((await listed(silent)).models).toEqual([expect.objectContaining({ id: "gemma" })]);
    const other = await listed({ "v1/models": { data: [{ id: "gemma", owned_by: "google" }] } });
    expect(other.keys).toHaveLength(1);
  });
});
