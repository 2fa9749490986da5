import { generateText } from "ai";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { ModelProvider } from "./model-provider";
import { languageModel } from "./protocols";

const bodySchema = z.record(z.string(), z.unknown());

/** Sends one question to `provider` and returns the request. */
async function requestOf(provider: Partial<ModelProvider>, answer: object = {}) {
  const requests: {
    url: string;
    headers: Headers;
    body: z.infer<typeof bodySchema>;
    redirect: unknown;
  }[] = [];
  const fetch: typeof globalThis.fetch = async (url, init) => {
    const body = bodySchema.parse(JSON.parse(String(init?.body)));
    requests.push({
      url: String(url),
      headers: new Headers(init?.headers),
      body,
      redirect: init?.redirect,
    });
    return Response.json(answer);
  };
  const model = languageModel({ ...openai, ...provider }, "any-model", { fetch });
  const result = await generateText({ model, prompt: "Hello", maxOutputTokens: 9 }).catch(
    () => null,
  );
  return { request: requests[0], result };
}

const openai: ModelProvider = {
  id: "openai",
  kind: "openai",
  label: "OpenAI",
  baseUrl: "https://api.openai.com/v1",
  apiKey: "sk-1",
  api: "responses",
  models: null,
};

const compatible = {
  id: "compatible:groq",
  kind: "compatible",
  baseUrl: "https://groq.test/v1",
} as const;

describe("a model of a provider", () => {
  test("is called at the provider's address with its key", async () => {
    const { request } = await requestOf({ baseUrl: "https://proxy.test/v1" });
    expect(request?.url).toBe("https://proxy.test/v1/responses");
    expect(request?.headers.get("authorization")).toBe("Bearer sk-1");
  });

  test("never follows a redirect", async () => {
    expect((await requestOf({})).request?.redirect).toBe("error");
  });

  test("asks OpenAI not to keep the conversation", async () => {
    expect((await requestOf({})).request?.body.store).toBe(false);
  });

  test("speaks OpenAI's chat interface where told to", async () => {
    const { request } = await requestOf({ api: "chat" });
    expect(request?.url).toBe("https://api.openai.com/v1/chat/completions");
  });

  test("asks Anthropic, but no imitation of it, to cache the prompt", async () => {
    const anthropic = { id: "anthropic", kind: "anthropic" } as const;
    const real = await requestOf({ ...anthropic, baseUrl: "https://api.anthropic.com/v1" });
    expect(real.request?.body.cache_control).toEqual({ type: "ephemeral" });
    const other = await requestOf({ ...anthropic, baseUrl: "https://proxy.test/v1" });
    expect(other.request?.body).not.toHaveProperty("cache_control");
  });

  test("sends no key where there is none", async () => {
    const { request } = await requestOf({ ...compatible, apiKey: null });
    expect(request?.url).toBe("https://groq.test/v1/chat/completions");
    expect(request?.headers.has("authorization")).toBe(false);
  });

  test("takes thoughts between tags out of an open model's answer", async () => {
    const answer = {
      id: "1",
      created: 1,
      model: "any-model",
      choices: [
        {
          index: 0,
          message: { role: "assistant", content: "<think>hm</think>Hello" },
          finish_reason: "stop",
        },
      ],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    };
    const { result } = await requestOf({ ...compatible }, answer);
    expect(result?.text).toBe("Hello");
    expect(result?.reasoningText).toBe("hm");
  });
});
