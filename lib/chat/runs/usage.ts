import type { LanguageModelUsage } from "ai";
import {
  estimateMessageTokens,
  estimateStringTokens,
  type SessionMessagePart,
} from "grove-session";
import type { RunRecord } from "@/lib/chat/core/run-store";
import type { UsageEntry } from "@/lib/chat/core/usage-log";
import type { ReceiptWire } from "@/lib/chat/wire/context";
import {
  costOf,
  type ModelPrice,
  type ResolvedModel,
  reportedUsage,
  type TextCall,
} from "@/lib/llm";

export type CallUsage = Pick<
  UsageEntry,
  "inputTokens" | "cachedTokens" | "outputTokens" | "cost" | "charge" | "isReported"
>;

export type Prices = {
  readonly price: ModelPrice | null;
  readonly charged?: ModelPrice | null | undefined;
};

/**
 * Estimated without a report: a stopped call reports nothing but is charged. `null` when nothing was reported or
 * written.
 */
export function callUsage(
  given: LanguageModelUsage | undefined,
  {
    estimated,
    price,
    charged,
  }: { estimated: { inputTokens: number; outputTokens: number } } & Prices,
): CallUsage | null {
  const reported = reportedUsage(given);
  if (reported?.inputTokens !== undefined && reported.outputTokens !== undefined) {
    return {
      inputTokens: reported.inputTokens,
      cachedTokens: reported.inputTokenDetails.cacheReadTokens ?? 0,
      outputTokens: reported.outputTokens,
      cost: costOf(reported, price),
      ...(charged && { charge: costOf(reported, charged) ?? 0 }),
      isReported: true,
    };
  }
  if (estimated.outputTokens === 0) return null;
  return {
    ...estimated,
    cachedTokens: 0,
    cost: price && estimatedCost(estimated, price),
    ...(charged && { charge: estimatedCost(estimated, charged) }),
    isReported: false,
  };
}

function estimatedCost(
  { inputTokens, outputTokens }: { inputTokens: number; outputTokens: number },
  { inputPerMillion, outputPerMillion }: ModelPrice,
): number {
  return (inputTokens * inputPerMillion + outputTokens * outputPerMillion) / 1_000_000;
}

export function textCallUsage(
  { prompt, text, usage }: TextCall,
  { info }: ResolvedModel,
): (CallUsage & { model: string }) | null {
  const taken = callUsage(usage, {
    estimated: {
      inputTokens: estimateStringTokens(prompt),
      outputTokens: estimateStringTokens(text),
    },
    price: info.price,
    charged: info.charged,
  });
  return taken && { ...taken, model: info.ref };
}

export function answerUsage(
  run: Pick<RunRecord, "id" | "sessionId" | "model" | "keyId"> & { readonly part: number },
  {
    reported,
    tokens,
    parts,
    ...prices
  }: {
    reported: LanguageModelUsage | undefined;
    tokens: ReceiptWire["tokens"] | null;
    parts: readonly SessionMessagePart[];
  } & Prices,
): UsageEntry | null {
  const { prompt = 0, messages = 0, tools = 0 } = tokens ?? {};
  const outputTokens =
    parts.length === 0 ? 0 : estimateMessageTokens([{ id: "", role: "assistant", parts }]);
  const taken = callUsage(reported, {
    estimated: { inputTokens: prompt + messages + tools, outputTokens },
    ...prices,
  });
  const { id, sessionId, model, part } = run;
  const keyId = run.keyId ?? undefined;
  const usageId = part === 0 ? `answer ${id}` : `answer ${id} ${part}`;
  return taken && { id: usageId, kind: "answer", sessionId, model, keyId, ...taken };
}
