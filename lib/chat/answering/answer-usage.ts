import type { ReceiptWire } from "@/lib/chat/wire/context";
import type { ModelPrice } from "@/lib/llm";
import { estimateMessageTokens, type SessionMessagePart } from "@/lib/session";
import type { ModelOutcome } from "./model-stream";
import type { RunRecord } from "./run-store";
import type { UsageEntry } from "./usage";
import { callUsage } from "./usage";

/** `null` when the model was not reached. */
export function answerUsage(
  run: Pick<RunRecord, "id" | "sessionId" | "model" | "keyId">,
  {
    reported,
    receipt,
    parts,
    price,
  }: {
    reported: ModelOutcome["usage"];
    receipt: Pick<ReceiptWire, "tokens"> | null;
    parts: readonly SessionMessagePart[];
    price: ModelPrice | null;
  },
): UsageEntry | null {
  const { prompt = 0, messages = 0, tools = 0 } = receipt?.tokens ?? {};
  const outputTokens =
    parts.length === 0 ? 0 : estimateMessageTokens([{ id: "", role: "assistant", parts }]);
  const taken = callUsage(reported, {
    estimated: { inputTokens: prompt + messages + tools, outputTokens },
    price,
  });
  const { id, sessionId, model } = run;
  const keyId = run.keyId ?? undefined;
  return taken && { id: `answer ${id}`, kind: "answer", sessionId, model, keyId, ...taken };
}
