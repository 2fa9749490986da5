import { setTimeout as delay, setImmediate } from "node:timers/promises";
import {
  estimateStringTokens,
  estimateToolTokens,
  type LoadedSkill,
  promptSections,
  type SessionMessagePart,
  skillEvents,
} from "grove-session";
import { z } from "zod";
import { scaleOf } from "@/lib/chat/compaction/carried-tokens";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import type { HeldRun } from "@/lib/chat/core/run-store";
import { withheldFile } from "@/lib/chat/files/given-files";
import { reservedDollars } from "@/lib/chat/runs/start-run";
import type { Prices } from "@/lib/chat/runs/usage";
import type { ReceiptWire, UseWire } from "@/lib/chat/wire/context";
import { attachedFile, fileKind } from "@/lib/chat/wire/files";
import { namedPages, readPagesName, searchFilesName } from "@/lib/chat/wire/knowledge";
import type { GroveMetadata, LeftOutWire } from "@/lib/chat/wire/messages";
import { type Feature, type ModelInfo, priceWith } from "@/lib/llm";
import type { AnswerInput } from "./answer-input";
import type { Ended, Sent } from "./ended";
import type { ModelOutcome } from "./model-stream";
import type { Leg, Order } from "./order";
import { keptMessages, type SentMessages, sentMessages, shownMessages } from "./sent-messages";

/** `scale` is the model's own count per estimated token. */
export type StoredReceipt = Omit<ReceiptWire, "messages" | "personal"> & {
  readonly personalPart?: string;
  readonly promptPart?: string;
  readonly sent: SentMessages;
  readonly scale?: number;
  /** Absent in receipts of the previous version. */
  readonly prices?: Prices;
};

type NotInReceipt =
  | "prompt"
  | "settings"
  | "asks"
  | "parameters"
  | "repeats"
  | "without"
  | "refusals"
  | "onRefusal"
  | "keeps"
  | "later";

export async function answerReceipt(
  { model, choice, leafId }: Pick<ReceiptWire, "model" | "choice"> & { leafId: string },
  input: Omit<AnswerInput, NotInReceipt | "prompt" | "assistant" | "missing"> &
    Partial<
      Pick<AnswerInput, "prompt" | "parameters" | "without" | "refusals" | "assistant" | "missing">
    >,
): Promise<StoredReceipt> {
  const { instructions, tools, chosen, versions, labels, skills, gatheredAt } = input;
  const { prompt, personal } = input.prompt ?? { prompt: instructions, personal: null };
  const sent = await keptMessages(leafId, input);
  return {
    model,
    ...(choice && { choice }),
    parameters: input.parameters ?? {},
    prompt,
    ...(personal && { personalPart: personal.id }),
    sent,
    blocks: Object.entries(versions ?? {}).map(([blockId, version]) => {
      return { blockId, label: labels.get(blockId) ?? blockId, version };
    }),
    skills: [...skills],
    ...(input.assistant && { assistant: input.assistant }),
    ...(input.missing && input.missing.length > 0 && { missing: [...input.missing] }),
    used: usesAtStart(prompt, skills),
    tools: Object.keys(tools),
    ...notSent(input),
    ...(chosen.size > 0 && { origins: originsOf(chosen, Object.keys(tools)) }),
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

export interface Given {
  readonly input: AnswerInput;
  readonly receipt: StoredReceipt;
  readonly isSaved: boolean;
}

const silentMs = 200;

/**
 * Stores once the model writes or pauses: before the call it would delay the first word by 6 ms for a history of 1,000
 * messages.
 */
export async function receiptOnce(
  begun: Promise<void>,
  {
    owner,
    run,
    order: { model, choice, kept, parentId },
    leg,
    input,
  }: {
    readonly owner: Pick<OwnerData, "runs">;
    readonly run: HeldRun;
    readonly order: Order;
    readonly leg: Leg;
    readonly input: AnswerInput;
  },
): Promise<Given> {
  const silence = new AbortController();
  await Promise.race([begun, delay(silentMs, undefined, silence).catch(() => undefined)]);
  silence.abort();
  // Lets the first chunks reach the viewers.
  await setImmediate();
  const leafId = leg.kept && kept ? kept.id : parentId;
  const made = await answerReceipt({ model, ...(choice && { choice }), leafId }, input);
  const receipt = { ...made, prices: pricesOf(leg.resolved.info, made) };
  const { prompt, messages, tools } = receipt.tokens;
  const reserved = reservedDollars(leg.resolved.info, {
    inputTokens: prompt + messages + tools,
    maxOutputTokens: input.parameters.maxOutputTokens,
  });
  const [saved] = await Promise.allSettled([owner.runs.saveReceipt(run, receipt, reserved)]);
  return { input, receipt, isSaved: saved.status === "fulfilled" };
}

function pricesOf({ price, charged }: ModelInfo, receipt: StoredReceipt | null): Prices {
  const caching = receipt?.parameters?.caching;
  return {
    price: priceWith(price, caching),
    ...(charged && { charged: priceWith(charged, caching) }),
  };
}

export function sentOf({ resolved }: Pick<Leg, "resolved">, given: Given | null): Sent {
  const receipt = given?.receipt ?? null;
  return { type: "sent", tokens: receipt?.tokens ?? null, ...pricesOf(resolved.info, receipt) };
}

export function receiptAtEnd(
  { input, receipt, isSaved }: Given,
  {
    end: { metadata, parts },
    outcome: { usage },
    found,
  }: {
    readonly end: Pick<Ended, "metadata" | "parts">;
    readonly outcome: Pick<ModelOutcome, "usage">;
    readonly found: readonly LoadedSkill[];
  },
): Partial<StoredReceipt> {
  const { inputTokens = 0, outputTokens = 0 } = metadata;
  const cached = usage?.inputTokenDetails.cacheReadTokens;
  return {
    ...(!isSaved && receipt),
    ...tokensAsCounted(receipt, metadata.input),
    ...notSent(input),
    ...withFound(input),
    used: usesAtEnd(receipt.used ?? [], { found, parts }),
    ...pagesGiven(parts),
    usage: usage
      ? { inputTokens, outputTokens, ...(cached !== undefined && { cachedInputTokens: cached }) }
      : null,
    cost: metadata.cost ?? null,
    finishedAt: new Date().toISOString(),
  };
}

function pagesGiven(parts: Ended["parts"]): Pick<StoredReceipt, "pages"> {
  const given = (tool: string) => {
    const named = parts.flatMap(({ type, output }) =>
      type === `tool-${tool}` ? namedPages(output).map(({ text: _, ...page }) => page) : [],
    );
    return [...new Map(named.map((each) => [`${each.url}#${each.page}`, each])).values()];
  };
  const pages = { found: given(searchFilesName), read: given(readPagesName) };
  return pages.found.length + pages.read.length > 0 ? { pages } : {};
}

function notSent({
  without = [],
  refusals = [],
}: Partial<Pick<AnswerInput, "without" | "refusals">>): Pick<StoredReceipt, "without" | "refused"> {
  return {
    ...(without.length > 0 && { without: [...without] }),
    ...(refusals.length > 0 && { refused: [...refusals] }),
  };
}

function originsOf(
  chosen: AnswerInput["chosen"],
  names: readonly string[],
): NonNullable<ReceiptWire["origins"]> {
  const sent = [...chosen.values()].filter(({ tool }) => names.includes(tool.name));
  return sent.map(({ tool: { name: tool, title, origin } }) => ({ tool, title, ...origin }));
}

function withFound({ tools, chosen, later }: AnswerInput): Partial<StoredReceipt> {
  if (!later || later.found.length === 0) return {};
  const names = [...Object.keys(tools), ...later.found];
  return { tools: names, origins: originsOf(chosen, names) };
}

const mostNamed = 20;

export function leftOutOf({
  messages,
  refusals,
  missing,
}: Pick<AnswerInput, "messages" | "refusals" | "missing">): LeftOutWire | null {
  const refused = refusals.map(({ feature }) => feature);
  const files = messages.flatMap(({ parts }) =>
    parts.flatMap((part) => withheldFile(part) ?? refusedFile(part, refused) ?? []),
  );
  if (files.length === 0 && refused.length === 0 && missing.length === 0) return null;
  return {
    ...(missing.length > 0 && { missing: [...missing] }),
    ...(refused.length > 0 && { refused }),
    ...(files.length > 0 && { files: files.slice(-mostNamed), fileCount: files.length }),
  };
}

function refusedFile(part: { readonly type: string }, refused: readonly Feature[]) {
  const file = attachedFile(part);
  if (!file) return null;
  const kind = fileKind(file);
  if (kind === "image" && refused.includes("images"))
    return { name: file.name, reason: "this model takes no images" };
  if (kind === "pdf" && refused.includes("pdfs"))
    return { name: file.name, reason: "this model takes no PDFs" };
  return null;
}

function tokensAsCounted(
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

/** Receipts of the previous version repeat their messages. */
export async function storedReceiptOf(
  { runs }: Pick<OwnerData, "runs">,
  sessionId: string,
  messageId: string,
): Promise<StoredReceipt | ReceiptWire | null> {
  return storedReceipt.nullable().parse(await runs.receiptOf(sessionId, messageId));
}

type ReceiptOwner = Pick<OwnerData, "runs" | "store" | "personal">;

export async function receiptOf(
  owner: ReceiptOwner,
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
  owner: ReceiptOwner,
  sessionId: string,
  messageId: string,
): Promise<ReceiptWire | null> {
  const stored = await storedReceiptOf(owner, sessionId, messageId);
  if (stored === null || "messages" in stored) return stored;
  const { sent, scale = 1, prices: _, personalPart, promptPart, ...receipt } = stored;
  const place = { owner, sessionId, messageId, scale };
  const partOf = async (id: string | undefined) =>
    id === undefined ? null : owner.personal?.parts.get(id);
  const [messages, personal, earlier] = await Promise.all([
    shownMessages(sentMessages.parse(sent), place),
    partOf(personalPart),
    partOf(promptPart),
  ]);
  return {
    ...receipt,
    ...(earlier && { prompt: earlier.prompt }),
    ...(personal && { personal: personal.prompt }),
    messages,
  };
}

export function usesAtStart(prompt: string, skills: readonly LoadedSkill[]): UseWire[] {
  const blocks = promptSections(prompt).filter(({ content }) => content.trim() !== "");
  return [
    ...blocks.map(
      ({ label }) => ({ label: label.toLowerCase(), key: null, how: "prompt" }) as const,
    ),
    ...skills.map(({ label, key }) => ({ label, key, how: "loaded" }) as const),
  ];
}

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
