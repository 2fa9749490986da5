import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";
import { freeOfCharge, type ModelInfo } from "@/lib/llm/model-info";
import type { FallbackSource } from "@/lib/llm/model-source";
import type { Environment } from "@/lib/llm/provider-settings";
import { partsOf } from "./demo-parts";
import { type DemoPlan, planAnswer } from "./demo-plan";

/** `GROVE_DEMO_DELAY_MS` is the pause after each word. */
export function demoSource(environment: Environment): FallbackSource {
  const delay = Number(environment.GROVE_DEMO_DELAY_MS?.trim() || Number.NaN);
  const model = createDemoModel(delay >= 0 ? { delayMs: delay } : {});
  return {
    info: demoModelInfo,
    answersFor: (provider) => provider === demoModelInfo.provider,
    listModels: async () => [demoModelInfo],
    resolve: async () => ({ model, info: demoModelInfo }),
    problem: () => null,
  };
}

export const demoModelInfo: ModelInfo = {
  ref: "demo/grove-demo",
  label: "Demo (scripted, no AI)",
  provider: "demo",
  providerLabel: "Demo",
  // Small, so that compaction can be tried within minutes.
  contextWindow: 8000,
  maxOutput: 2000,
  price: freeOfCharge,
  isDemo: true,
  isLocal: false,
  capabilities: { tools: true, reasoning: true, images: false },
};

// About 40 tokens a second, the speed of a quick reader.
const defaultDelayMs = 32;

/**
 * Answers at human speed and really calls its tools. The same prompt gives the same answer; `groveOptions({ variation
 * })` gives the next one. Refuses a prompt that exceeds its window.
 *
 * @param options.delayMs pause after each word; 0 for none.
 */
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

/** @throws the reason of an abort. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
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
