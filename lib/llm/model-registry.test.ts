import { describe, expect, test, vi } from "vitest";
import { demoSource } from "@/lib/demo/demo-model";
import { unpricedModel } from "./model-info";
import { createModelRegistry, type ModelRegistryOptions } from "./model-registry";
import { ModelUnavailableError } from "./model-source";

type Answers = Record<string, (() => Response) | undefined>;

/** A registry where only the given addresses answer, with an adjustable clock. */
function registryOn(answers: Answers, options: Partial<ModelRegistryOptions> = {}) {
  const asked: string[] = [];
  let now = 0;
  const registry = createModelRegistry({
    environment: {},
    fallback: demoSource({}),
    fetch: async (input) => {
      asked.push(String(input));
      const answer = answers[String(input)];
      if (answer === undefined) throw new TypeError("fetch failed");
      return answer();
    },
    now: () => now,
    ...options,
  });
  return { registry, asked, answers, pass: (ms: number) => (now += ms) };
}

const openaiList = "https://api.openai.com/v1/models";
const listOf =
  (...ids: string[]) =>
  () =>
    Response.json({ data: ids.map((id) => ({ id })) });
const quiet = { GROVE_DISCOVER_LOCAL: "0" };
const withOpenAI = { ...quiet, OPENAI_API_KEY: "sk-test-12345678" };

describe("a registry without any configuration", () => {
  test("offers the demo model, clearly labelled, and uses it", async () => {
    const { registry } = registryOn({});
    const demo = {
      ref: "demo/grove-demo",
      label: "Demo (scripted, no AI)",
      provider: "demo",
      providerLabel: "Demo",
      contextWindow: 8000,
      maxOutput: 2000,
      price: { inputPerMillion: 0, outputPerMillion: 0 },
      isDemo: true,
      isLocal: false,
      capabilities: { tools: true, reasoning: true, images: true, pdfs: false },
    };
    expect(await registry.listModels()).toEqual([demo]);
    expect(await registry.defaultModel()).toEqual(demo);
    expect((await registry.resolve("demo/grove-demo")).model.provider).toBe("demo");
    expect(registry.problems()).toEqual([]);
  });

  test("finds a server on this machine and prefers it to the demo", async () => {
    const { registry } = registryOn({ "http://127.0.0.1:1234/v1/models": listOf("qwen3-8b") });
    expect(await registry.defaultModel()).toMatchObject({
      ref: "local:lm-studio/qwen3-8b",
      isLocal: true,
      contextWindow: null,
      price: { inputPerMillion: 0, outputPerMillion: 0 },
    });
  });
});

describe("a registry with several accounts at one service", () => {
  const account = (name: string) => ({ provider: "openai" as const, name, apiKey: `sk-${name}` });
  const settings = (...names: string[]) => ({ providers: names.map(account), overrides: {} });

  test("lists the models of each under its name, and tells them apart", async () => {
    const { registry } = registryOn(
      { [openaiList]: listOf("gpt-5") },
      { settings: settings("OpenAI", "Work") },
    );
    const models = await registry.listModels();
    expect(models.map(({ ref, providerLabel }) => [ref, providerLabel])).toEqual([
      ["openai/gpt-5", "OpenAI"],
      ["openai:work/gpt-5", "Work"],
      ["demo/grove-demo", "Demo"],
    ]);
    expect((await registry.resolve("openai:work/gpt-5")).info.providerLabel).toBe("Work");
  });

  test("takes the first for a name without account, and none for an account that is gone", async () => {
    const { registry } = registryOn({}, { settings: settings("Work", "Home") });
    expect((await registry.resolve("openai/gpt-5")).info.ref).toBe("openai:work/gpt-5");
    await expect(registry.resolve("openai:gone/gpt-5")).rejects.toThrow("is not set up");
  });
});

describe("a registry with a key", () => {
  test("lists what the provider lists, known models first and described", async () => {
    const { registry } = registryOn(
      { [openaiList]: listOf("zeta", "gpt-4o", "alpha", "gpt-6.1-sol", "whisper-1") },
      { environment: withOpenAI },
    );
    const models = await registry.listModels();
    expect(models.map(({ ref }) => ref)).toEqual([
      "openai/gpt-6.1-sol",
      "openai/gpt-4o",
      "openai/alpha",
      "openai/zeta",
      "demo/grove-demo",
    ]);
    expect(models[0]).toMatchObject({ label: "GPT-6.1 Sol", contextWindow: 1_050_000 });
    expect(models[2]).toMatchObject({ label: "alpha", contextWindow: null, price: null });
    expect((await registry.defaultModel()).ref).toBe("openai/gpt-6.1-sol");
  });

  test("chooses an answering model, and the demo only when nothing else is set up", async () => {
    const environment = { ...withOpenAI, ANTHROPIC_API_KEY: "sk-ant-1" };
    const answering = { [openaiList]: listOf("gpt-5") };
    expect((await registryOn(answering, { environment }).registry.defaultModel()).ref).toBe(
      "openai/gpt-5",
    );
    expect((await registryOn({}, { environment }).registry.defaultModel()).provider).toBe(
      "anthropic",
    );
  });

  test("asks the provider once in ten minutes", async () => {
    const { registry, asked, pass } = registryOn(
      { [openaiList]: listOf("gpt-5") },
      { environment: withOpenAI },
    );
    await registry.listModels();
    pass(10 * 60 * 1000 - 1);
    await registry.listModels();
    expect(asked).toHaveLength(1);
    pass(1);
    await registry.listModels();
    expect(asked).toHaveLength(2);
  });

  test("falls back to the catalogue when the provider does not list, says so, and recovers", async () => {
    const { registry, answers, pass } = registryOn({}, { environment: withOpenAI });
    const models = await registry.listModels();
    expect(models.length).toBeGreaterThan(10);
    expect(registry.problems()).toEqual([
      {
        provider: "openai",
        providerLabel: "OpenAI",
        message: expect.stringContaining("Couldn't load models from OpenAI."),
      },
    ]);
    answers[openaiList] = listOf("gpt-5");
    pass(30_000);
    expect(await registry.listModels()).toHaveLength(2);
    expect(registry.problems()).toEqual([]);
  });

  test("reports a wrong key without showing it", async () => {
    const refuse = () =>
      Response.json(
        { error: { message: "Incorrect API key provided: sk-test-12345678" } },
        { status: 401 },
      );
    const { registry } = registryOn({ [openaiList]: refuse }, { environment: withOpenAI });
    await registry.listModels();
    expect(registry.problems()[0]?.message).toMatch(/rejected the API key/);
    expect(JSON.stringify(registry.problems())).not.toContain("sk-test");
  });

  test("does not wait for the provider's list to use a model it knows", async () => {
    const { registry, asked } = registryOn({}, { environment: withOpenAI });
    expect((await registry.resolve("openai/gpt-5")).info.contextWindow).toBe(400_000);
    expect(asked).toEqual([]);
  });

  test("resolves a model the provider does not list", async () => {
    const { registry } = registryOn({ [openaiList]: listOf("gpt-5") }, { environment: withOpenAI });
    const { model, info } = await registry.resolve("openai/ft:gpt-5:mine");
    expect(model.modelId).toBe("ft:gpt-5:mine");
    expect(info).toMatchObject({ ref: "openai/ft:gpt-5:mine", contextWindow: null, price: null });
  });
});

describe("stored settings", () => {
  const settings = {
    providers: [
      {
        provider: "compatible",
        name: "Groq",
        baseUrl: "https://groq.test/v1",
        models: ["meta/llama"],
      },
    ],
    overrides: {
      "compatible:groq/meta/llama": {
        label: "Llama",
        contextWindow: 131_072,
        price: { inputPerMillion: 0.5, outputPerMillion: 0.8 },
        capabilities: { images: true, pdfs: true },
      },
    },
  };

  test("name the models to offer and say what is known of them", async () => {
    const { registry, asked } = registryOn({}, { environment: quiet, settings });
    expect((await registry.listModels())[0]).toEqual({
      ref: "compatible:groq/meta/llama",
      label: "Llama",
      provider: "compatible:groq",
      providerLabel: "Groq",
      contextWindow: 131_072,
      maxOutput: null,
      price: { inputPerMillion: 0.5, outputPerMillion: 0.8 },
      isDemo: false,
      isLocal: false,
      capabilities: { tools: null, reasoning: false, images: true, pdfs: true },
      parameters: { temperature: { max: 2 }, maxOutputTokens: { max: null } },
    });
    expect(asked).toEqual([]);
  });

  test("give models with a slash in their id", async () => {
    const { registry } = registryOn({}, { environment: quiet, settings });
    const { model } = await registry.resolve("compatible:groq/meta/llama");
    expect(model.modelId).toBe("meta/llama");
  });
});

describe("a model that cannot be used", () => {
  test.each([
    ["gpt-5", "invalid-ref", "does not name a model"],
    ["openai/gpt-5", "missing-key", "set OPENAI_API_KEY"],
    ["anthropic/claude-sonnet-5-5", "missing-key", "set ANTHROPIC_API_KEY"],
    ["google/gemini-4-argon", "missing-key", "set GOOGLE_GENERATIVE_AI_API_KEY"],
    ["compatible:groq/llama", "unknown-provider", "is not set up"],
    ["local:ollama/qwen3", "local-server-down", "Ollama isn't running"],
    ["local:something/qwen3", "unknown-provider", "is not set up"],
  ])("%s is refused with a sentence that says what to do", async (ref, code, sentence) => {
    const { registry } = registryOn({});
    const failure = await registry.resolve(ref).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ModelUnavailableError);
    expect(failure).toMatchObject({ code, ref, message: expect.stringContaining(sentence) });
  });

  test("can be used as soon as its server on this machine has been started", async () => {
    const { registry, answers } = registryOn({});
    await expect(registry.resolve("local:lm-studio/qwen3")).rejects.toThrow("Start it");
    answers["http://127.0.0.1:1234/v1/models"] = listOf("qwen3");
    expect((await registry.resolve("local:lm-studio/qwen3")).info.isLocal).toBe(true);
  });
});

test("never uses a key or an address that only this process's own environment holds", async () => {
  vi.stubEnv("OPENAI_API_KEY", "sk-process");
  vi.stubEnv("OPENAI_BASE_URL", "https://process.test/v1");
  const { registry } = registryOn({}, { environment: quiet });
  await expect(registry.resolve("openai/gpt-5")).rejects.toThrow("There is no API key");
});

describe("a price that limits count", () => {
  const free = { inputPerMillion: 0, outputPerMillion: 0 };
  const dear = { inputPerMillion: 9, outputPerMillion: 9 };
  const unpriced = { GROVE_UNPRICED_INPUT_DOLLARS: "1", GROVE_UNPRICED_OUTPUT_DOLLARS: "2" };
  const byDefault = { inputPerMillion: 1, outputPerMillion: 2 };
  const known = "openai/gpt-5";
  const unknown = "openai/nobody-knows";
  const chargedAt = async (
    ref: string,
    { price, provider }: { price?: typeof free | null; provider?: object } = {},
  ) => {
    const { registry } = registryOn(
      {},
      {
        environment: { ...withOpenAI, ...unpriced },
        settings: {
          providers: provider ? [provider] : [],
          overrides: price === undefined ? {} : { [ref]: { price } },
        },
      },
    );
    const { info } = await registry.resolve(ref);
    return { price: info.price, charged: info.charged ?? info.price };
  };
  const usual = () => chargedAt(known);

  test.each([free, dear, null])(
    "is not what a person says of the operator's model: %o",
    async (price) => {
      const { charged } = await usual();
      expect(charged?.inputPerMillion).toBeGreaterThan(0);
      for (const provider of [undefined, { provider: "openai" }])
        expect(await chargedAt(known, { price, ...(provider && { provider }) })).toEqual({
          price,
          charged,
        });
      expect((await chargedAt(unknown, { price })).charged).toEqual(byDefault);
    },
  );

  test("is the default of the operator without a known one", async () => {
    expect(await chargedAt(unknown)).toEqual({ price: null, charged: byDefault });
    expect(unpricedModel({})).toEqual({ inputPerMillion: 3, outputPerMillion: 15 });
    for (const wrong of ["-1", "x", " ", "Infinity"])
      expect(unpricedModel({ GROVE_UNPRICED_INPUT_DOLLARS: wrong }).inputPerMillion).toBe(3);
  });

  test("counts a person's own key at the known price, else as they say, else nothing", async () => {
    const provider = { provider: "openai", apiKey: "sk-own-12345678" };
    const { charged } = await usual();
    expect((await chargedAt(known, { price: free, provider })).charged).toEqual(charged);
    expect((await chargedAt(unknown, { price: dear, provider })).charged).toEqual(dear);
    expect((await chargedAt(unknown, { provider })).charged).toEqual(free);
  });
});
