import type { FinishReason, LanguageModelUsage, UIMessageChunk } from "ai";
import type { SessionMessagePart } from "grove-session";
import { isToolPart, toolNameOf } from "grove-session";
import type { UsageEntry } from "@/lib/chat/core/usage-log";
import { type Pause, pauseIn, withoutCalls } from "@/lib/chat/runs/pause";
import { answerUsage, type Prices } from "@/lib/chat/runs/usage";
import { assistantRef } from "@/lib/chat/wire/assistants";
import type { ReceiptWire } from "@/lib/chat/wire/context";
import type { AnswerStatus, GroveMetadata } from "@/lib/chat/wire/messages";
import {
  costOf,
  describeFinishReason,
  type ModelErrorDescription,
  type ReachedLimit,
} from "@/lib/llm";
import { answerParts } from "./answer-message";
import { writtenSince } from "./kept-answer";
import type { Begun, Order } from "./order";
import { hostedToolsIn, namesInProgram } from "./program-call";

export type Entry = UIMessageChunk | Sent | Reported | Cut;

export interface Sent extends Prices {
  readonly type: "sent";
  readonly tokens: ReceiptWire["tokens"] | null;
}

export interface Reported {
  readonly type: "reported";
  readonly at: string;
  readonly finishReason: FinishReason | null;
  readonly usage: LanguageModelUsage | undefined;
  readonly firstInputTokens: number | undefined;
  readonly limit: ReachedLimit | null;
  readonly problem: ModelErrorDescription | null;
  readonly thoughtMs: readonly number[];
  readonly leftOut: GroveMetadata["leftOut"] | null;
}

export interface Cut {
  readonly type: "cut";
  /** `crash`: the answer's process is gone. */
  readonly by: "person" | "shutdown" | "stall" | "crash";
  readonly problem?: ModelErrorDescription | null;
}

export interface Ended {
  readonly parts: readonly SessionMessagePart[];
  readonly metadata: GroveMetadata & { readonly status: AnswerStatus };
  readonly pause: Pause | null;
  readonly withdrawn: Pause | null;
  readonly usage: UsageEntry | null;
}

/** The same entries end equally, wherever they were read. An end logged before a crash stays. */
export async function ended(order: Order, begun: Begun, entries: readonly Entry[]): Promise<Ended> {
  const log = sorted(entries);
  const { chunks, reported, cut } = log;
  const read = await answerParts(chunks, begun.before?.parts);
  const known = loggedEnd(chunks);
  const problem = cut ? (cut.problem ?? null) : problemOf(reported, read);
  const waiting = begun.waiting ?? pauseIn(read, begun.part);
  const status = known?.status ?? statusOf({ cut, problem, waiting });
  const isWithdrawn = status !== "paused" && (known !== null || cut?.by !== "crash");
  const withdrawn = isWithdrawn ? waiting : null;
  const calls = withdrawn ? withoutCalls(read, withdrawn) : read;
  const hasEnded = status === "complete" || status === "paused";
  const parts = namedByProgram(hasEnded ? calls : calls.map((part) => cutOff(part, order)), order);
  const metadata = known ?? {
    status,
    runId: order.id,
    model: order.model,
    ...factsOf(order, begun, log),
    ...(status === "paused" && reported && { pausedAt: reported.at }),
    ...(problem && { error: problem }),
  };
  return {
    ...{ parts, metadata, withdrawn },
    pause: status === "paused" ? waiting : null,
    usage: await usageOf(order, begun, { ...log, known, parts }),
  };
}

interface Log {
  readonly chunks: readonly UIMessageChunk[];
  readonly sent: Sent;
  readonly reported: Reported | null;
  readonly cut: Cut | null;
}

function sorted(entries: readonly Entry[]): Log {
  const chunks: UIMessageChunk[] = [];
  let sent: Sent = { type: "sent", tokens: null, price: null };
  let reported: Reported | null = null;
  let cut: Cut | null = null;
  for (const entry of entries) {
    if (entry.type === "sent") sent = entry;
    else if (entry.type === "reported") reported = entry;
    else if (entry.type === "cut") cut ??= entry;
    else chunks.push(entry);
  }
  return { chunks, sent, reported, cut };
}

function loggedEnd(chunks: readonly UIMessageChunk[]): Ended["metadata"] | null {
  const last = chunks.at(-1);
  const metadata = (last?.type === "finish" ? last.messageMetadata : null) as GroveMetadata | null;
  return metadata?.status === undefined ? null : { ...metadata, status: metadata.status };
}

function statusOf({
  cut,
  problem,
  waiting,
}: {
  readonly cut: Cut | null;
  readonly problem: ModelErrorDescription | null;
  readonly waiting: Pause | null;
}): AnswerStatus {
  if (cut) return cut.by === "person" ? "stopped" : "interrupted";
  if (problem) return "failed";
  return waiting ? "paused" : "complete";
}

function problemOf(
  reported: Reported | null,
  parts: readonly SessionMessagePart[],
): ModelErrorDescription | null {
  if (reported?.problem) return reported.problem;
  const isEmpty = !parts.some(answersSomething);
  const { finishReason, limit = null } = reported ?? {};
  return describeFinishReason(finishReason ?? "other", { isEmpty, limit });
}

/** Reasoning, or a provider's note about its own message, is no answer. */
function answersSomething({ type, text }: SessionMessagePart): boolean {
  if (type === "text") return String(text ?? "").trim() !== "";
  return type === "file" || type === "dynamic-tool" || type.startsWith("tool-");
}

/** A program makes its calls itself. */
function cutOff(part: SessionMessagePart, { request }: Order): SessionMessagePart {
  const { state, approval, providerExecuted } = part;
  const isAllowed = (approval as { approved?: boolean } | undefined)?.approved === true;
  const wasCalled = state === "input-available" || (state === "approval-responded" && isAllowed);
  if (!isToolPart(part) || !wasCalled || providerExecuted || request !== null) return part;
  return { ...part, state: "output-error", errorText: cutOffCall };
}

function namedByProgram(
  parts: readonly SessionMessagePart[],
  { request }: Order,
): readonly SessionMessagePart[] {
  if (request === null || !parts.some(isToolPart)) return parts;
  const names = namesInProgram(request);
  return parts.map((part) => {
    const calledAs = isToolPart(part) ? names.get(toolNameOf(part)) : undefined;
    const isOther = calledAs && (calledAs.isCustom || calledAs.name !== toolNameOf(part));
    return isOther ? { ...part, calledAs } : part;
  });
}

const cutOffCall =
  "The answer was cut off during this call, so its result is unknown. It was not made again.";

function factsOf(order: Order, { before }: Begun, { chunks, sent, reported }: Log): GroveMetadata {
  const known = (before?.metadata ?? {}) as GroveMetadata;
  const { kept, assistant } = order;
  const usage = reported?.usage;
  const thoughtMs = [...(known.thoughtMs ?? kept?.thoughtMs ?? []), ...(reported?.thoughtMs ?? [])];
  const continuedFrom = known.continuedFrom ?? kept?.id ?? continuedIn(chunks);
  const inputTokens = sumOf(known.inputTokens, usage?.inputTokens);
  const outputTokens = sumOf(known.outputTokens, usage?.outputTokens);
  const cost = sumOf(known.cost, costOf(usage, sent.price));
  const { changedCalls } = known;
  const choice = order.choice ?? known.choice;
  const leftOut = leftOutOf(order, reported ? reported.leftOut : known.leftOut);
  const input = inputOf(sent, reported) ?? known.input;
  return {
    ...(choice && { choice }),
    ...(assistant && { assistant: assistantRef.parse(assistant) }),
    ...(thoughtMs.length > 0 && { thoughtMs }),
    ...(inputTokens !== null && { inputTokens }),
    ...(outputTokens !== null && { outputTokens }),
    ...(cost !== null && { cost }),
    ...(continuedFrom !== undefined && { continuedFrom }),
    ...(changedCalls && { changedCalls }),
    ...(input && { input }),
    ...(leftOut && { leftOut }),
  };
}

function leftOutOf({ request }: Order, seen: GroveMetadata["leftOut"] | null) {
  const hostedTools = hostedToolsIn(request);
  return hostedTools.length > 0 ? { ...seen, hostedTools } : seen;
}

/** Versions without orders logged the answer that was continued. */
function continuedIn([first]: readonly UIMessageChunk[]): string | undefined {
  const metadata = (first?.type === "start" && first.messageMetadata) || {};
  return (metadata as GroveMetadata).continuedFrom;
}

function sumOf(before: number | undefined, now: number | null | undefined): number | null {
  return before === undefined && (now ?? null) === null ? null : (before ?? 0) + (now ?? 0);
}

function inputOf(
  { tokens }: Sent,
  reported: Reported | null,
): NonNullable<GroveMetadata["input"]> | null {
  if (!tokens || !reported?.firstInputTokens) return null;
  return { estimated: totalOf(tokens), reported: reported.firstInputTokens };
}

function totalOf({ prompt, messages, tools }: ReceiptWire["tokens"]): number {
  return prompt + messages + tools;
}

/** A report is lost with its process, but not the counts of a logged end. */
async function usageOf(
  order: Order,
  { part, before }: Begun,
  {
    chunks,
    sent,
    reported,
    known,
    parts,
  }: Log & {
    readonly known: GroveMetadata | null;
    readonly parts: readonly SessionMessagePart[];
  },
): Promise<UsageEntry | null> {
  const kept = order.kept && (await answerParts(chunks.slice(0, order.kept.chunks + 1)));
  const written = kept ? writtenSince(kept, parts) : parts.slice(before?.parts.length ?? 0);
  const counted = reported?.usage ?? (known ? countedIn(known, before?.metadata) : undefined);
  return answerUsage({ ...order, part }, { reported: counted, ...sent, parts: written });
}

function countedIn(known: GroveMetadata, before: unknown): LanguageModelUsage | undefined {
  const counted = (before ?? {}) as GroveMetadata;
  const inputTokens = (known.inputTokens ?? 0) - (counted.inputTokens ?? 0);
  const outputTokens = (known.outputTokens ?? 0) - (counted.outputTokens ?? 0);
  if (inputTokens <= 0 && outputTokens <= 0) return undefined;
  return {
    ...{ inputTokens, outputTokens, totalTokens: inputTokens + outputTokens },
    inputTokenDetails: {
      noCacheTokens: undefined,
      cacheReadTokens: undefined,
      cacheWriteTokens: undefined,
    },
    outputTokenDetails: { textTokens: undefined, reasoningTokens: undefined },
  };
}
