import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { describe, expect, test } from "vitest";
import { modelLimits } from "./model-limits";
import type { ModelProvider } from "./model-provider";
import { type ProgramSetting, programOptions, settingDropped } from "./program-options";
import { languageModel } from "./protocols";

const settings = {
  frequencyPenalty: 0.5,
  presencePenalty: 0.5,
  seed: 7,
  stopSequences: ["END"],
  parallelCalls: false,
  verbosity: "low",
} as const satisfies Record<ProgramSetting, unknown>;
type Given = { readonly [Name in ProgramSetting]?: (typeof settings)[Name] };

const protocols = [
  { kind: "openai", api: "responses", id: "gpt-4o" },
  { kind: "openai", api: "chat", id: "gpt-4o" },
  { kind: "anthropic", api: "chat", id: "claude-sonnet-4-5" },
  { kind: "google", api: "chat", id: "gemini-2.5-flash" },
  { kind: "google", api: "chat", id: "gemini-3.5-flash" },
  { kind: "compatible", api: "chat", id: "m" },
  { kind: "local", api: "chat", id: "m" },
] as const;
type Protocol = (typeof protocols)[number];

async function sentTo({ kind, api, id }: Protocol, given: Given) {
  const bodies: string[] = [];
  const provider: ModelProvider = {
    ...{ id: `${kind}:test`, kind, api, label: kind, models: null },
    ...{ baseUrl: "http://models.test/v1", apiKey: "secret-key" },
  };
  const fetch = async (_: unknown, init?: RequestInit) => {
    bodies.push(String(init?.body));
    return Response.json({ error: { message: "No." } }, { status: 400 });
  };
  const model = languageModel(provider, id, { fetch, limits: modelLimits({}) });
  const { parallelCalls, verbosity, stopSequences, ...others } = given;
  const call: LanguageModelV4CallOptions = {
    ...others,
    ...(stopSequences && { stopSequences: [...stopSequences] }),
    prompt: [{ role: "user", content: [{ type: "text", text: "Hello" }] }],
    tools: [{ type: "function", name: "look", inputSchema: { type: "object", properties: {} } }],
    providerOptions: programOptions({ strictSchema: false, parallelCalls, verbosity }),
  };
  await expect(model.doStream(call)).rejects.toThrow();
  return { model, body: bodies[0] };
}

describe.each(protocols)("$id of $kind over $api", (protocol) => {
  test.each(Object.keys(settings) as ProgramSetting[])(
    "receives %s, unless it is said to be dropped",
    async (name) => {
      const given = { [name]: settings[name] };
      const plain = await sentTo(protocol, {});
      const { model, body } = await sentTo(protocol, given);
      expect(settingDropped(model, given)).toBe(body === plain.body ? name : null);
    },
  );
});

test("a value that asks for the usual is dropped without a word", () => {
  const asked = { parallelCalls: true, verbosity: "medium", frequencyPenalty: 0 };
  for (const provider of ["openai.responses", "anthropic.messages", "google.generative-ai"])
    expect(settingDropped({ provider, modelId: "m" }, asked)).toBeNull();
});
