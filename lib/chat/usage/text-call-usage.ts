import type { ResolvedModel, TextCall } from "@/lib/llm";
import { estimateStringTokens } from "@/lib/session";
import { type CallUsage, callUsage } from "./call-usage";

/** What a call for a summary or a title took, and of which model. */
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
  });
  return taken && { ...taken, model: info.ref };
}
