import type {
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from "@ai-sdk/provider";
import { estimateStringTokens } from "@/lib/session";
import type { DemoPlan } from "./demo-plan";

type Part = LanguageModelV4StreamPart;

/**
 * Streams a plan part by part and word by word.
 *
 * @param options.maxOutputTokens ends the answer there with the finish reason `length`. @throws the plan's fault
 * where it breaks the connection.
 */
export function* partsOf(
  plan: DemoPlan,
  options: { maxOutputTokens?: number | undefined } = {},
): Generator<Part> {
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

function* wordsOf(kind: "text" | "reasoning", text: string): Generator<Part> {
  if (text === "") return;
  yield { type: `${kind}-start`, id: kind };
  for (const word of text.match(/\s*\S+(?:\s+$)?/g) ?? []) {
    yield { type: `${kind}-delta`, id: kind, delta: word };
  }
  yield { type: `${kind}-end`, id: kind };
}

function callParts({ toolName, input }: DemoPlan["calls"][number], id: string): Part[] {
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
