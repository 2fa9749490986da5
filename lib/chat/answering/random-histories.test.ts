import type { StoredMessage } from "grove-session";
import { beforeAll, describe, expect, test } from "vitest";
import { modelInput, withQuestionFirst } from "@/lib/chat/sessions/model-input";
import { randomHistory } from "@/lib/chat/testing/random-history";
import { modelLimits } from "@/lib/llm/model-limits";
import { languageModel } from "@/lib/llm/protocols";
import { type FakeWire, fakeWires } from "@/lib/llm/testing/fake-wires";
import {
  anthropicRules,
  chatRules,
  googleRules,
  type Rules,
  responsesRules,
} from "@/lib/llm/testing/provider-rules";
import { trySeeds } from "@/lib/text/testing/try-seeds";
import { noOutcome, streamModel } from "./model-stream";

const rulesOf: Readonly<Record<string, Rules>> = {
  "OpenAI chat": chatRules,
  "OpenAI responses": responsesRules,
  Anthropic: anthropicRules,
  Google: googleRules,
  "OpenAI-compatible": chatRules,
};

beforeAll(() => {
  globalThis.AI_SDK_LOG_WARNINGS = false;
});

describe.each(fakeWires)("$name", (wire) => {
  test("accepts the request of every history, so that a chat can go on", () =>
    trySeeds(20, async (random) => {
      const session = await randomHistory(random);
      const history = (await session.getModelHistory()) as StoredMessage[];
      const { messages } = modelInput(history, { sentInFull: undefined });
      const body = await requestOf(wire, withQuestionFirst(messages));
      expect(rulesOf[wire.name]?.(body)).toEqual([]);
    }));
});

/** Returns the body that the provider's package sends. */
async function requestOf(
  { provider }: FakeWire,
  messages: readonly StoredMessage[],
): Promise<unknown> {
  let body: unknown = null;
  const fetch = async (_: unknown, init?: RequestInit) => {
    body = JSON.parse(String(init?.body));
    return new Response("", { status: 400 });
  };
  const connection = {
    id: "test",
    label: "Test",
    baseUrl: "http://provider.test/v1",
    apiKey: "k",
    models: null,
  };
  const model = languageModel({ ...connection, ...provider }, modelIds[provider.kind], {
    fetch,
    limits,
  });
  const outcome = noOutcome();
  const call = {
    model,
    instructions: "Be calm.",
    messages,
    tools: {},
    signal: new AbortController().signal,
    variation: 0,
    limits: { maxSteps: 1, maxToolCalls: 1, maxCharacters: 1_000 },
  };
  await Array.fromAsync(streamModel(call, outcome));
  if (body === null) throw new Error("No request was made.", { cause: outcome.error });
  return body;
}

const limits = { ...modelLimits({}), retries: 0 };

// Reasoning models, so that reasoning is sent back.
const modelIds = {
  openai: "gpt-5",
  anthropic: "claude-sonnet-5-5",
  google: "gemini-4-hydrogen",
  compatible: "any",
  local: "any",
};
