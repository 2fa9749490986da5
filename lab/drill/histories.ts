import { setImmediate } from "node:timers/promises";
import { Random } from "@/lab/bench/random";
import { noOutcome, streamModel } from "@/lib/chat/answering/model-stream";
import { modelInput, withQuestionFirst } from "@/lib/chat/sessions/model-input";
import { modelLimits } from "@/lib/llm/model-limits";
import { languageModel } from "@/lib/llm/protocols";
import type { StoredMessage } from "@/lib/session";
import type { Drill } from "./drill";
import { type FakeWire, fakeWires } from "./fake-wires";
import {
  anthropicRules,
  chatRules,
  googleRules,
  type Rules,
  responsesRules,
} from "./provider-rules";
import { randomHistory } from "./random-history";

const rulesOf: Readonly<Record<string, Rules>> = {
  "OpenAI chat": chatRules,
  "OpenAI responses": responsesRules,
  Anthropic: anthropicRules,
  Google: googleRules,
  "OpenAI-compatible": chatRules,
};

const mostProblems = 20;

export const histories: Drill = {
  name: "histories",
  promise: "A chat can always go on: every history makes a request that its provider accepts.",
  unit: "histories",
  fullCount: 100_000,
  run: async ({ count, seed, signal, say }) => {
    globalThis.AI_SDK_LOG_WARNINGS = false;
    const broken: string[] = [];
    let messages = 0;
    let n = 0;
    for (; n < count && !signal.aborted && broken.length < mostProblems; n++) {
      if (n > 0 && n % 10_000 === 0) say(`${n} of ${count}`);
      const wire = fakeWires[n % fakeWires.length];
      if (!wire) continue;
      const found = await check(wire, seed + n);
      messages += found.messages;
      broken.push(...found.problems.map((problem) => `${wire.name}, seed ${seed + n}: ${problem}`));
      await setImmediate();
    }
    return { broken, figures: { histories: n, messages } };
  },
};

async function check(
  wire: FakeWire,
  seed: number,
): Promise<{ problems: string[]; messages: number }> {
  const session = await randomHistory(new Random(seed));
  const history = (await session.getModelHistory()) as StoredMessage[];
  const { messages } = modelInput(history, { sentInFull: undefined });
  const body = await requestOf(wire, withQuestionFirst(messages));
  const rules = rulesOf[wire.name];
  const problems = body === null ? ["Nothing was sent."] : (rules?.(body) ?? ["It has no rules."]);
  return { problems: [...new Set(problems)], messages: messages.length };
}

/** The body that the provider's package sends. */
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
    id: "drill",
    label: "Drill",
    baseUrl: "http://drill.test/v1",
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
