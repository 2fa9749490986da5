import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from "@ai-sdk/provider";
import { estimateStringTokens } from "grove-session";
import { freeOfCharge, type ModelInfo } from "@/lib/llm/model-info";
import type { FallbackSource } from "@/lib/llm/model-source";
import type { Environment } from "@/lib/llm/provider-settings";
import { type DemoPlan, planAnswer } from "./demo-plan";

export function demoSource(environment: Environment): FallbackSource {
  const delay = Number(environment.GROVE_DEMO_DELAY_MS?.trim() || Number.NaN);
  const model = createDemoModel(delay >= 0 ? { delayMs: delay } : {});
  return {
    info: demoModelInfo,
    answersFor: (provider) => provider === demoModelInfo.provider,
    listModels: async () => [demoModelInfo],
    resolve: async () => ({ model, info: demoModelInfo }),
    embeddings: async () => null,
    problem: () => null,
    leftOut: () => [],
  };
}

export const demoModelInfo: ModelInfo = {
  ref: "demo/grove-demo",
  label: "Demo (scripted, no AI)",
  provider: "demo",
  providerLabel: "Demo",
  contextWindow: 8000,
  maxOutput: 2000,
  price: freeOfCharge,
  isDemo: true,
  isLocal: false,
  capabilities: { tools: true, reasoning: true, images: true, pdfs: false },
};

const defaultDelayMs = 32;

/** The same prompt gives the same answer. Refuses a prompt that exceeds its window. */
export function createDemoModel(options: { delayMs?: number } = {}): LanguageModelV4 {
  const delayMs = options.delayMs ?? defaultDelayMs;
  return {
    specificationVersion: "v4",
    provider: "demo",
    modelId: "grove-demo",
    supportedUrls: {},
    doStream: async (call) => ({ stream: streamOf(begin(call), call, delayMs) }),
    doGenerate: async (call) => resultOf([...partsOf(begin(call), call)]),
  };
}

function begin(call: LanguageModelV4CallOptions): DemoPlan {
  call.abortSignal?.throwIfAborted();
  const plan = planAnswer(call, demoModelInfo);
  if (plan.fault?.when === "start") throw plan.fault.error();
  return plan;
}

function streamOf(
  plan: DemoPlan,
  call: LanguageModelV4CallOptions,
  delayMs: number,
): ReadableStream<LanguageModelV4StreamPart> {
  const parts = partsOf(plan, call);
  return new ReadableStream({
    pull: async (controller) => {
      const { value, done } = parts.next();
      if (done) return controller.close();
      controller.enqueue(value);
      if (value.type.endsWith("-delta")) await pause(plan.pace * delayMs, call.abortSignal);
      call.abortSignal?.throwIfAborted();
    },
  });
}

function resultOf(parts: readonly LanguageModelV4StreamPart[]): LanguageModelV4GenerateResult {
  const content: LanguageModelV4Content[] = [];
  const reasoning = parts
    .map((part) => (part.type === "reasoning-delta" ? part.delta : ""))
    .join("");
  const text = parts.map((part) => (part.type === "text-delta" ? part.delta : "")).join("");
  if (reasoning !== "") content.push({ type: "reasoning", text: reasoning });
  if (text !== "") content.push({ type: "text", text });
  content.push(...parts.filter((part) => part.type === "tool-call"));
  const failure = parts.find((part) => part.type === "error");
  if (failure) throw failure.error;
  const finish = parts.find((part) => part.type === "finish");
  if (!finish) throw new Error("A demo answer always ends with a finish part.");
  return { content, finishReason: finish.finishReason, usage: finish.usage, warnings: [] };
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  if (ms === 0) return Promise.resolve();
  return new Promise((resolve, reject) => {
    function end() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
    }
    function stop() {
      end();
      reject(signal?.reason);
    }
    const timer = setTimeout(() => {
      end();
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
}

/**
 * @param options.maxOutputTokens ends the answer with the finish reason `length`. @throws the plan's fault where it
 * breaks the connection.
 */
function* partsOf(
  plan: DemoPlan,
  options: { maxOutputTokens?: number | undefined } = {},
): Generator<LanguageModelV4StreamPart> {
  const limit = options.maxOutputTokens ?? Number.POSITIVE_INFINITY;
  const reasoning = within(plan.reasoning, limit);
  const text = within(halfIfFailing(plan), limit - estimateStringTokens(reasoning));
  const isWhole = reasoning === plan.reasoning && (text === plan.text || plan.fault !== null);

  yield { type: "stream-start", warnings: [] };
  yield { type: "response-metadata", modelId: "grove-demo" };
  yield* wordsOf("reasoning", reasoning);
  yield* wordsOf("text", text);
  if (plan.fault?.when === "break") throw plan.fault.error();
  if (plan.fault) yield { type: "error", error: plan.fault.error() };
  const calls = isWhole ? plan.calls : [];
  yield* calls.flatMap((call, index) => callParts(call, `demo-${plan.seed}-${index}`));
  const written = reasoning + text + calls.map(({ input }) => JSON.stringify(input)).join("");
  yield {
    type: "finish",
    finishReason: finishReasonOf(plan, isWhole),
    usage: usageOf(
      plan.inputTokens,
      estimateStringTokens(written),
      estimateStringTokens(reasoning),
    ),
  };
}

function halfIfFailing({ text, fault }: DemoPlan): string {
  return fault === null ? text : text.slice(0, text.indexOf(" ", text.length / 2) + 1);
}

function within(text: string, tokens: number): string {
  if (estimateStringTokens(text) <= tokens) return text;
  // A lone surrogate could not be stored.
  return text.slice(0, Math.max(0, tokens * 4)).replace(/[\uD800-\uDBFF]$/, "");
}

function* wordsOf(kind: "text" | "reasoning", text: string): Generator<LanguageModelV4StreamPart> {
  if (text === "") return;
  yield { type: `${kind}-start`, id: kind };
  for (const word of text.match(/\s*\S+(?:\s+$)?/g) ?? []) {
    yield { type: `${kind}-delta`, id: kind, delta: word };
  }
  yield { type: `${kind}-end`, id: kind };
}

function callParts(
  { toolName, input }: DemoPlan["calls"][number],
  id: string,
): LanguageModelV4StreamPart[] {
  const json = JSON.stringify(input);
  return [
    { type: "tool-input-start", id, toolName },
    { type: "tool-input-delta", id, delta: json },
    { type: "tool-input-end", id },
    { type: "tool-call", toolCallId: id, toolName, input: json },
  ];
}

function finishReasonOf(plan: DemoPlan, isWhole: boolean): LanguageModelV4FinishReason {
  if (plan.fault) return { unified: "error", raw: "error" };
  if (!isWhole) return { unified: "length", raw: "length" };
  const unified = plan.calls.length > 0 ? "tool-calls" : "stop";
  return { unified, raw: unified };
}

function usageOf(input: number, output: number, reasoning: number): LanguageModelV4Usage {
  return {
    inputTokens: { total: input, noCache: input, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: output, text: output - reasoning, reasoning },
  };
}
