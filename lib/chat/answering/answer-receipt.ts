import { z } from "zod";
import { scaleOf } from "@/lib/chat/compaction/carried-tokens";
import type { OwnerData } from "@/lib/chat/owner-data";
import type { ReceiptWire, UseWire } from "@/lib/chat/wire/context";
import type { GroveMetadata } from "@/lib/chat/wire/messages";
import {
  estimateMessageTokens,
  estimateStringTokens,
  estimateToolTokens,
  type LoadedSkill,
  type SessionMessagePart,
} from "@/lib/session";
import {
  groupBy,
  mapInSlices,
  previewOf,
  promptSections,
  skillEvents,
} from "@/lib/session/internal";
import type { AnswerInput } from "./answer-input";

/** The model's input for one answer, message by message. A long history is read in slices, since an answer streams. */
export async function answerReceipt(
  model: string,
  input: Omit<AnswerInput, "settings">,
): Promise<ReceiptWire> {
  const { instructions, messages, shortened, tools, chosen, versions, labels, skills, gatheredAt } =
    input;
  const outputs = groupBy(shortened, ({ messageId }) => messageId);
  const given = await mapInSlices(messages, (message) => ({
    id: message.id,
    role: message.role,
    preview: previewOf(message),
    tokens: estimateMessageTokens([message]),
    ...shortenedIn(outputs.get(message.id)),
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
    ...(chosen.size > 0 && { origins: originsOf(chosen) }),
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

function originsOf(chosen: AnswerInput["chosen"]): NonNullable<ReceiptWire["origins"]> {
  return [...chosen.values()].map(({ tool: { name: tool, title, origin } }) => {
    return { tool, title, ...origin };
  });
}

function shortenedIn(own: AnswerInput["shortened"] | undefined) {
  return own ? { shortened: own.map(({ messageId: _, toolCallId: __, ...output }) => output) } : {};
}

/** Scales the estimates by the model's own count, like the gauge. */
export async function receiptAsCounted(
  receipt: ReceiptWire,
  measured: GroveMetadata["input"],
): Promise<ReceiptWire> {
  const scale = scaleOf(measured);
  const scaled = (tokens: number) => Math.round(tokens * scale);
  const { prompt, messages, tools } = receipt.tokens;
  return {
    ...receipt,
    messages: await mapInSlices(receipt.messages, (message) => {
      return { ...message, tokens: scaled(message.tokens) };
    }),
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

/** Non-empty blocks of the prompt and loaded skills. */
export function usesAtStart(prompt: string, skills: readonly LoadedSkill[]): UseWire[] {
  const blocks = promptSections(prompt).filter(({ content }) => content.trim() !== "");
  return [
    ...blocks.map(
      ({ label }) => ({ label: label.toLowerCase(), key: null, how: "prompt" }) as const,
    ),
    ...skills.map(({ label, key }) => ({ label, key, how: "loaded" }) as const),
  ];
}

/** Everything an answer used, without duplicates: its prompt, search results and loaded skills. */
export function usesAtEnd(
  start: readonly UseWire[],
  { found, parts }: { found: readonly LoadedSkill[]; parts: readonly SessionMessagePart[] },
): UseWire[] {
  const loaded = skillEvents({ parts }).filter(({ action }) => action === "load");
  const uses: UseWire[] = [
    ...start,
    ...loaded.map(({ label, key }) => ({ label, key, how: "loaded" }) as const),
    ...found.map(({ label, key }) => ({ label, key, how: "found" }) as const),
  ];
  const named = new Map(
    uses.toReversed().map((use) => [JSON.stringify([use.label, use.key]), use]),
  );
  return [...named.values()].toReversed();
}
