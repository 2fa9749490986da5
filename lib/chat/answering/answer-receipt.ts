import { z } from "zod";
import { scaleOf } from "@/lib/chat/compaction/carried-tokens";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import type { Prices } from "@/lib/chat/runs/usage";
import type { ReceiptWire, UseWire } from "@/lib/chat/wire/context";
import type { GroveMetadata } from "@/lib/chat/wire/messages";
import {
  estimateStringTokens,
  estimateToolTokens,
  type LoadedSkill,
  type SessionMessagePart,
} from "@/lib/session";
import { promptSections, skillEvents } from "@/lib/session/internal";
import type { AnswerInput } from "./answer-input";
import { keptMessages, type SentMessages, sentMessages, shownMessages } from "./sent-messages";

/** As stored. `scale` is the model's own count per estimated token, once it is known. */
export type StoredReceipt = Omit<ReceiptWire, "messages"> & {
  readonly sent: SentMessages;
  readonly scale?: number;
  /** For an estimate of its cost, should its process die. Absent in receipts of the previous version. */
  readonly prices?: Prices;
};

type NotInReceipt =
  | "settings"
  | "asks"
  | "parameters"
  | "repeats"
  | "without"
  | "refusals"
  | "onRefusal"
  | "keeps";

/** The model's input for one answer to `leafId`. */
export async function answerReceipt(
  { model, choice, leafId }: Pick<ReceiptWire, "model" | "choice"> & { leafId: string },
  input: Omit<AnswerInput, NotInReceipt> &
    Partial<Pick<AnswerInput, "parameters" | "without" | "refusals">>,
): Promise<StoredReceipt> {
  const { instructions, tools, chosen, versions, labels, skills, gatheredAt } = input;
  const sent = await keptMessages(leafId, input);
  return {
    model,
    ...(choice && { choice }),
    parameters: input.parameters ?? {},
    prompt: instructions,
    sent,
    blocks: Object.entries(versions ?? {}).map(([blockId, version]) => {
      return { blockId, label: labels.get(blockId) ?? blockId, version };
    }),
    skills: [...skills],
    used: usesAtStart(instructions, skills),
    tools: Object.keys(tools),
    ...notSent(input),
    ...(chosen.size > 0 && { origins: originsOf(chosen) }),
    tokens: {
      prompt: estimateStringTokens(instructions),
      messages: sent.tokens.reduce((sum, tokens) => sum + tokens, 0),
      tools: await estimateToolTokens(tools),
    },
    usage: null,
    cost: null,
    startedAt: gatheredAt.toISOString(),
    finishedAt: null,
  };
}

/** Complete once the answer has begun. */
export function notSent({
  without = [],
  refusals = [],
}: Partial<Pick<AnswerInput, "without" | "refusals">>): Pick<StoredReceipt, "without" | "refused"> {
  return {
    ...(without.length > 0 && { without: [...without] }),
    ...(refusals.length > 0 && { refused: [...refusals] }),
  };
}

function originsOf(chosen: AnswerInput["chosen"]): NonNullable<ReceiptWire["origins"]> {
  return [...chosen.values()].map(({ tool: { name: tool, title, origin } }) => {
    return { tool, title, ...origin };
  });
}

/** Scales the estimates by the model's own count, like the gauge. */
export function tokensAsCounted(
  { tokens: { prompt, messages, tools } }: Pick<ReceiptWire, "tokens">,
  measured: GroveMetadata["input"],
): Pick<StoredReceipt, "tokens" | "scale"> {
  const scale = scaleOf(measured);
  const scaled = (tokens: number) => Math.round(tokens * scale);
  return {
    tokens: { prompt: scaled(prompt), messages: scaled(messages), tools: scaled(tools) },
    scale,
  };
}

const storedReceipt = z.custom<StoredReceipt | ReceiptWire>(
  (value) =>
    typeof value === "object" &&
    value !== null &&
    "prompt" in value &&
    ("messages" in value || "sent" in value),
);

/** As it was stored; `null` without one. Those of the previous version repeat their messages. */
export async function storedReceiptOf(
  { runs }: Pick<OwnerData, "runs">,
  sessionId: string,
  messageId: string,
): Promise<StoredReceipt | ReceiptWire | null> {
  return storedReceipt.nullable().parse(await runs.receiptOf(sessionId, messageId));
}

/** The receipt of an answer, or of the one that the person edited; `null` without one. */
export async function receiptOf(
  owner: Pick<OwnerData, "runs" | "store">,
  sessionId: string,
  messageId: string,
): Promise<ReceiptWire | null> {
  const seen = new Set<string>();
  for (let id: string | undefined = messageId; id !== undefined && !seen.has(id); ) {
    const receipt = await ownReceiptOf(owner, sessionId, id);
    if (receipt) return { ...receipt, ...(id !== messageId && { isOfOriginal: true }) };
    seen.add(id);
    const message = await owner.store.messages(sessionId).getMessage(id);
    id = ((message?.metadata ?? {}) as GroveMetadata).editedFrom;
  }
  return null;
}

async function ownReceiptOf(
  owner: Pick<OwnerData, "runs" | "store">,
  sessionId: string,
  messageId: string,
): Promise<ReceiptWire | null> {
  const stored = await storedReceiptOf(owner, sessionId, messageId);
  if (stored === null || "messages" in stored) return stored;
  const { sent, scale = 1, prices: _, ...receipt } = stored;
  const place = { owner, sessionId, messageId, scale };
  return { ...receipt, messages: await shownMessages(sentMessages.parse(sent), place) };
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
