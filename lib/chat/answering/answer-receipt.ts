import { z } from "zod";
import { scaleOf } from "@/lib/chat/compaction/carried-tokens";
import type { OwnerData } from "@/lib/chat/owner-data";
import type { ReceiptWire } from "@/lib/chat/wire/context";
import type { GroveMetadata } from "@/lib/chat/wire/messages";
import { estimateMessageTokens, estimateStringTokens, estimateToolTokens } from "@/lib/session";
import { previewOf } from "@/lib/session/internal";
import type { AnswerInput } from "./answer-input";
import { usesAtStart } from "./answer-uses";

/** The model's input for one answer, message by message. */
export async function answerReceipt(model: string, input: AnswerInput): Promise<ReceiptWire> {
  const { instructions, messages, shortened, tools, versions, labels, skills, gatheredAt } = input;
  const given = messages.map((message) => ({
    id: message.id,
    role: message.role,
    preview: previewOf(message),
    tokens: estimateMessageTokens([message]),
    ...shortenedIn(message.id, shortened),
  }));
  return {
    model,
    prompt: instructions,
    messages: given,
    blocks: Object.entries(versions ?? {}).map(([blockId, version]) => {
      return { blockId, label: labels.get(blockId) ?? blockId, version };
    }),
    skills: [...skills],
    used: usesAtStart(instructions, skills),
    tools: Object.keys(tools),
    tokens: {
      prompt: estimateStringTokens(instructions),
      messages: given.reduce((sum, { tokens }) => sum + tokens, 0),
      tools: await estimateToolTokens(tools),
    },
    usage: null,
    cost: null,
    startedAt: gatheredAt.toISOString(),
    finishedAt: null,
  };
}

function shortenedIn(id: string, shortened: AnswerInput["shortened"]) {
  const own = shortened.filter(({ messageId }) => messageId === id);
  return own.length === 0
    ? {}
    : { shortened: own.map(({ messageId: _, toolCallId: __, ...output }) => output) };
}

/** Scales the estimates by the model's own count, like the gauge. */
export function receiptAsCounted(
  receipt: ReceiptWire,
  measured: GroveMetadata["input"],
): ReceiptWire {
  const scale = scaleOf(measured);
  const scaled = (tokens: number) => Math.round(tokens * scale);
  const { prompt, messages, tools } = receipt.tokens;
  return {
    ...receipt,
    messages: receipt.messages.map((message) => ({ ...message, tokens: scaled(message.tokens) })),
    tokens: { prompt: scaled(prompt), messages: scaled(messages), tools: scaled(tools) },
  };
}

const storedReceipt = z.custom<ReceiptWire>(
  (value) =>
    typeof value === "object" && value !== null && "prompt" in value && "messages" in value,
);

/** The stored receipt of an answer; `null` without one. */
export async function receiptOf(
  { runs }: Pick<OwnerData, "runs">,
  sessionId: string,
  messageId: string,
): Promise<ReceiptWire | null> {
  return storedReceipt.nullable().parse(await runs.receiptOf(sessionId, messageId));
}
