import { streamText } from "ai";
import { describe, expect, test } from "vitest";
import { languageModel } from "./protocols";
import { kindFacts } from "./provider-kinds";
import { type WebSearchKind, webSearchOf, webSearchTool } from "./web-search";

const official = (kind: WebSearchKind) => ({
  kind,
  baseUrl: kindFacts(kind).baseUrl ?? "",
  api: "responses" as const,
});

const models = {
  anthropic: "claude-sonnet-4-5",
  openai: "gpt-5",
  google: "gemini-3-pro-preview",
} as const;

/** The bodies of the requests, each answered with these events. */
function scripted(events: readonly object[]) {
  const bodies: Record<string, unknown>[] = [];
  const fetch = async (_: unknown, init?: RequestInit) => {
    bodies.push(JSON.parse(String(init?.body)));
    const text = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
    return new Response(text, { headers: { "content-type": "text/event-stream" } });
  };
  return { bodies, fetch: fetch as typeof globalThis.fetch };
}

async function search(kind: WebSearchKind, events: readonly object[]) {
  const { bodies, fetch } = scripted(events);
  const provider = { ...official(kind), id: kind, label: kind, apiKey: "sk-test", models: null };
  const { fullStream } = streamText({
    model: languageModel(provider, models[kind], { fetch }),
    prompt: "Tea?",
    tools: { web_search: webSearchTool(kind) },
    onError: () => undefined,
  });
  const parts = await Array.fromAsync(fullStream);
  return { body: bodies[0], parts, requests: bodies.length };
}

const found = { type: "web_search_result", url: "https://tea.example/", title: "Tea" };

describe("the search of a provider", () => {
  test.each([
    ["anthropic", "claude-sonnet-4-5", true],
    ["anthropic", "claude-3-opus-20240229", false],
    ["openai", "gpt-5-mini", true],
    ["openai", "gpt-4.1-nano", false],
    ["openai", "gpt-3.5-turbo", false],
    ["google", "gemini-3-pro-preview", true],
    ["google", "gemini-2.5-flash", false],
  ] as const)("of %s is offered to %s: %s", (kind, modelId, isOffered) => {
    expect(webSearchOf(official(kind), modelId)).toEqual(isOffered ? { webSearch: kind } : {});
  });

  test("is offered at the provider's own address and format alone", () => {
    const elsewhere = { ...official("anthropic"), baseUrl: "https://proxy.example/v1" };
    expect(webSearchOf(elsewhere, models.anthropic)).toEqual({});
    expect(webSearchOf({ ...official("openai"), api: "chat" }, models.openai)).toEqual({});
  });

  test("of Anthropic arrives with its query and sources in one request", async () => {
    const block = (index: number, content_block: object) => [
      { type: "content_block_start", index, content_block },
      { type: "content_block_stop", index },
    ];
    const call = { type: "server_tool_use", id: "srv_1", name: "web_search", input: {} };
    const typed = { type: "input_json_delta", partial_json: '{"query":"tea"}' };
    const content = [{ ...found, encrypted_content: "x", page_age: null }];
    const result = { type: "web_search_tool_result", tool_use_id: "srv_1", content };
    const usage = { input_tokens: 1, output_tokens: 1 };
    const { body, parts, requests } = await search("anthropic", [
      {
        type: "message_start",
        message: {
          id: "m",
          type: "message",
          role: "assistant",
          model: "claude",
          content: [],
          usage,
        },
      },
      { type: "content_block_start", index: 0, content_block: call },
      { type: "content_block_delta", index: 0, delta: typed },
      { type: "content_block_stop", index: 0 },
      ...block(1, result),
      { type: "content_block_start", index: 2, content_block: { type: "text", text: "" } },
      {
        type: "content_block_delta",
        index: 2,
        delta: { type: "text_delta", text: "Two minutes." },
      },
      { type: "content_block_stop", index: 2 },
      { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 2 } },
      { type: "message_stop" },
    ]);
    expect(body?.tools).toMatchObject([{ type: "web_search_20250305", name: "web_search" }]);
    expect(parts).toContainEqual(
      expect.objectContaining({
        type: "tool-call",
        toolName: "web_search",
        providerExecuted: true,
        input: { query: "tea" },
      }),
    );
    expect(parts).toContainEqual(
      expect.objectContaining({ type: "source", url: "https://tea.example/", title: "Tea" }),
    );
    expect(requests).toBe(1);
  });

  test.each([
    ["openai", { type: "web_search" }],
    ["google", { googleSearch: {} }],
  ] as const)("of %s is part of its request", { tags: "long" }, async (kind, tool) => {
    const { body } = await search(kind, []);
    expect(body?.tools).toMatchObject([tool]);
  });
});
