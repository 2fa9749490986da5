import { setTimeout as delay, setImmediate } from "node:timers/promises";
import type { UIMessageChunk } from "ai";
import { ChatError } from "@/lib/chat/core/chat-error";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import type { RunRecord } from "@/lib/chat/core/run-store";
import { storedChunks, withFileFacts } from "@/lib/chat/files/answer-files";
import type { ChunkLog } from "@/lib/chat/runs/chunk-log";
import type { LiveRun } from "@/lib/chat/runs/live-runs";
import { type Pause, partOf, pauseIn, withoutCalls } from "@/lib/chat/runs/pause";
import { reservedDollars } from "@/lib/chat/runs/reserve";
import { ifPossible } from "@/lib/chat/runs/retry";
import { answerUsage, type Prices } from "@/lib/chat/runs/usage";
import type { AnswerStatus, GroveMetadata } from "@/lib/chat/wire/messages";
import {
  costOf,
  describeFinishReason,
  describeModelError,
  type ModelErrorDescription,
  type ModelInfo,
  type ModelParameters,
  type ModelPrice,
  priceWith,
  type ResolvedModel,
} from "@/lib/llm";
import { SessionError, type SessionMessagePart, type StoredMessage } from "@/lib/session";
import type { AnswerInput } from "./answer-input";
import { answerParts, wroteMemory } from "./answer-message";
import {
  answerReceipt,
  notSent,
  type StoredReceipt,
  tokensAsCounted,
  usesAtEnd,
} from "./answer-receipt";
import { ChunkRepair } from "./chunk-repair";
import { endAnswer, type Stored } from "./end-answer";
import { declineHeldWrites } from "./held-writes";
import { goingOn, type KeptAnswer, keptChunks, openText, writtenSince } from "./kept-answer";
import { leftOutOf } from "./left-out";
import { memoryWrites } from "./memory-writes";
import { type ModelOutcome, noOutcome, streamModel, UnreadInputError } from "./model-stream";
import type { PreparedAnswer } from "./prepare-answer";
import { ThoughtTimes } from "./thought-times";

export interface WriteAnswerOptions {
  readonly owner: OwnerData;
  readonly run: RunRecord;
  readonly live: LiveRun;
  readonly log: ChunkLog;
  readonly resolved: ResolvedModel;
  readonly prepared: PreparedAnswer;
  readonly variation: number;
  readonly maxCharacters: number;
  /** Receives what could not be read or stored at the end. */
  readonly failed: (error: unknown) => void;
  /** Up to the pause after which it goes on. */
  readonly continued?: Continued | undefined;
  /** Of an answer that was cut off; this is a version of it that goes on. */
  readonly kept?: KeptAnswer | undefined;
}

export type Continued = Pick<StoredMessage, "parts" | "metadata">;

const stepLimits = { maxSteps: 12, maxToolCalls: 100 };
const silentMs = 200;

export interface AnswerEnd {
  readonly status: AnswerStatus;
  readonly metadata: Stored;
  /** For the log: reading the model's input failed. */
  readonly unread?: unknown;
  readonly pause: Pause | null;
}

/**
 * Stores chunks as they come, then the answer, however it ended. The only reader of the model's stream; browsers follow
 * the log.
 *
 * @returns the stored end; `null` when another process has ended the run.
 */
export async function writeAnswer(options: WriteAnswerOptions): Promise<AnswerEnd | null> {
  const { run, live, log } = options;
  const thought = new ThoughtTimes();
  const repair = new ChunkRepair(options.continued?.parts);
  const pass = (chunk: UIMessageChunk) => {
    log.add(chunk);
    live.push(chunk);
  };
  const emit = (given: UIMessageChunk) => {
    for (const chunk of repair.repaired(given)) {
      thought.note(chunk);
      pass(chunk);
    }
  };
  const outcome = noOutcome();
  const { kept } = options;
  emit({
    type: "start",
    messageId: run.messageId,
    messageMetadata: {
      runId: run.id,
      model: run.model,
      ...(kept && { continuedFrom: kept.id }),
    } satisfies GroveMetadata,
  });
  // The log then holds the whole answer, whatever becomes of the one that it continues.
  for (const chunk of keptChunks(kept?.parts ?? []).flatMap((each) => repair.repaired(each)))
    pass(chunk);

  const given = await giveToModel(options, { outcome, emit });
  return settle(options, { outcome, given, thought });
}

/** Saved now or, when the database was away, at the end. */
interface Given {
  readonly input: AnswerInput;
  readonly receipt: StoredReceipt;
  readonly isSaved: boolean;
}

interface Writing {
  readonly outcome: ModelOutcome;
  readonly emit: (chunk: UIMessageChunk) => void;
}

async function giveToModel(
  options: WriteAnswerOptions,
  { outcome, emit }: Writing,
): Promise<Given | null> {
  const { owner, live, resolved, variation, maxCharacters } = options;
  const input = await readInput(options.prepared, live, outcome);
  if (!input) return null;
  try {
    const limits = { ...stepLimits, maxCharacters };
    const { model, info } = resolved;
    const attached = { files: owner.files, takes: info.capabilities };
    const call = { ...input, attached, limits, model, signal: live.signal, variation };
    const begun = Promise.withResolvers<void>();
    const passOn = async () => {
      const { repeats } = input;
      const kept = options.kept?.parts ?? [];
      // The text that goes on with a kept one is cut where they overlap.
      const showText = openText(kept) === null ? { showText: emit } : {};
      const chunks = streamModel({ ...call, ...showText }, outcome);
      for await (const chunk of goingOn(chunks, kept, { repeats })) {
        if (chunk.type !== "file") emit(chunk);
        else for (const stored of await storedChunks(owner.files, chunk)) emit(stored);
        begun.resolve();
      }
      begun.resolve();
    };
    const [given] = await Promise.all([
      receiptWhen(begun.promise, { ...options, input }),
      passOn(),
    ]);
    return given;
  } catch (error) {
    outcome.error ??= error;
    return null;
  }
}

async function readInput(
  prepared: PreparedAnswer,
  live: LiveRun,
  outcome: ModelOutcome,
): Promise<AnswerInput | null> {
  try {
    return await prepared.input();
  } catch (cause) {
    outcome.aborted = live.signal.aborted;
    outcome.error = new UnreadInputError("The input of an answer could not be read.", { cause });
    return null;
  }
}

/**
 * Stored once the model writes or pauses: before the call it would delay the first word by 6 ms for a history of
 * 1,000 messages.
 */
async function receiptWhen(
  begun: Promise<void>,
  {
    owner,
    run,
    resolved: { choice, info },
    kept,
    input,
  }: Pick<WriteAnswerOptions, "owner" | "run" | "resolved" | "kept"> & { input: AnswerInput },
): Promise<Given> {
  const silence = new AbortController();
  await Promise.race([begun, delay(silentMs, undefined, silence).catch(() => undefined)]);
  silence.abort();
  // Lets the first chunks reach the viewers.
  await setImmediate();
  const { model } = run;
  const leafId = kept?.id ?? run.parentId;
  const made = await answerReceipt({ model, ...(choice && { choice }), leafId }, input);
  const receipt = { ...made, prices: pricesOf(info, made) };
  const { prompt, messages, tools } = receipt.tokens;
  const reserved = reservedDollars(info, {
    inputTokens: prompt + messages + tools,
    maxOutputTokens: input.parameters.maxOutputTokens,
  });
  const [saved] = await Promise.allSettled([owner.runs.saveReceipt(run, receipt, reserved)]);
  return { input, receipt, isSaved: saved.status === "fulfilled" };
}

function endOf(
  outcome: ModelOutcome,
  {
    run,
    live,
    resolved,
    continued,
    kept,
    writes,
    receipt,
    leftOut,
    parts,
    thought,
  }: Pick<WriteAnswerOptions, "run" | "live" | "resolved" | "continued" | "kept"> & {
    receipt: StoredReceipt | null;
    leftOut: GroveMetadata["leftOut"] | null;
    thought: ThoughtTimes;
    writes: Pick<GroveMetadata, "writes" | "proposals">;
    parts: readonly SessionMessagePart[];
  },
): AnswerEnd {
  const sent = receipt?.parameters ?? {};
  const problem = outcome.aborted ? live.problem : problemOf(outcome, { parts, sent });
  const pause = outcome.aborted || problem ? null : pauseIn(parts, partOf(run));
  const ended = pause ? "paused" : "complete";
  const status: AnswerStatus = outcome.aborted ? live.endsAs : problem ? "failed" : ended;
  const before = continued?.metadata as GroveMetadata | undefined;
  const cost = sumOf(before?.cost, costOf(outcome.usage, priceOf({ resolved }, receipt)));
  const thoughtMs = [...(before?.thoughtMs ?? kept?.thoughtMs ?? []), ...thought.all()];
  const continuedFrom = before?.continuedFrom ?? kept?.id;
  const inputTokens = sumOf(before?.inputTokens, outcome.usage?.inputTokens);
  const outputTokens = sumOf(before?.outputTokens, outcome.usage?.outputTokens);
  return {
    status,
    pause,
    metadata: {
      status,
      runId: run.id,
      model: run.model,
      ...(resolved.choice && { choice: resolved.choice }),
      ...(thoughtMs.length > 0 && { thoughtMs }),
      ...(inputTokens !== null && { inputTokens }),
      ...(outputTokens !== null && { outputTokens }),
      ...(cost !== null && { cost }),
      ...(pause && { pausedAt: new Date().toISOString() }),
      ...(continuedFrom !== undefined && { continuedFrom }),
      ...(before?.changedCalls && { changedCalls: before.changedCalls }),
      ...inputOf(outcome, receipt),
      ...(problem && { error: problem }),
      ...(leftOut && { leftOut }),
      ...writes,
    },
  };
}

function priceOf(
  { resolved }: Pick<WriteAnswerOptions, "resolved">,
  receipt: StoredReceipt | null,
): ModelPrice | null {
  return priceWith(resolved.info.price, receipt?.parameters?.caching);
}

function pricesOf({ price, charged }: ModelInfo, receipt: StoredReceipt | null): Prices {
  const caching = receipt?.parameters?.caching;
  return {
    price: priceWith(price, caching),
    ...(charged && { charged: priceWith(charged, caching) }),
  };
}

/** `null` when both are unknown. */
function sumOf(before: number | undefined, now: number | null | undefined): number | null {
  return before === undefined && (now ?? null) === null ? null : (before ?? 0) + (now ?? 0);
}

function inputOf(
  { firstInputTokens: reported }: ModelOutcome,
  receipt: StoredReceipt | null,
): Pick<GroveMetadata, "input"> {
  if (!receipt || !reported) return {};
  const { prompt, messages, tools } = receipt.tokens;
  return { input: { estimated: prompt + messages + tools, reported } };
}

function problemOf(
  { error, finishReason, limit }: ModelOutcome,
  { parts, sent }: { parts: readonly SessionMessagePart[]; sent: ModelParameters },
): ModelErrorDescription | null {
  if (error instanceof UnreadInputError) return describeUnread(error.cause);
  if (error !== null && error !== undefined) return describeModelError(error, { sent });
  const isEmpty = !parts.some(answersSomething);
  return describeFinishReason(finishReason ?? "other", { isEmpty, limit });
}

/** Reasoning alone does not, nor what a provider notes about its own message. */
function answersSomething({ type, text }: SessionMessagePart): boolean {
  if (type === "text") return String(text ?? "").trim() !== "";
  return type === "file" || type === "dynamic-tool" || type.startsWith("tool-");
}

function describeUnread(cause: unknown): ModelErrorDescription {
  if (cause instanceof SessionError || cause instanceof ChatError)
    return { ...unread, message: cause.message };
  return unread;
}

const unread: ModelErrorDescription = {
  code: "unread",
  message:
    "Grove could not read this chat, so nothing was sent to the model. Try again; the server's log says more.",
  retryable: true,
};

interface Settled {
  readonly outcome: ModelOutcome;
  readonly given: Given | null;
  readonly thought: ThoughtTimes;
}

/** The end of an answer exists only in memory, so waiting for the database is progress. Nothing but that holds it. */
async function settle(options: WriteAnswerOptions, settled: Settled): Promise<AnswerEnd | null> {
  const { owner, run, live, log, failed } = options;
  const { outcome, given } = settled;
  const trying = { failed, onFailure: () => live.noteProgress() };
  const read = await answerParts(live.chunks, options.continued?.parts);
  const written = await ifPossible(() => withFileFacts(owner.files, read), read, trying);
  const memory = async () => (wroteMemory(written) ? memoryWrites(owner, run, written) : {});
  const writes = await ifPossible(memory, {}, trying);
  const receipt = given?.receipt ?? null;
  const { pause, ...end } = endOf(outcome, {
    ...options,
    ...settled,
    writes,
    receipt,
    leftOut: given && leftOutOf(given.input),
    parts: written,
  });
  const waiting = pauseIn(written, partOf(run));
  const isWithdrawn = waiting !== null && pause === null;
  if (isWithdrawn)
    await ifPossible(() => declineHeldWrites(owner, run.messageId, waiting), undefined, trying);
  const parts = isWithdrawn ? withoutCalls(written, waiting) : written;
  log.add({ type: "finish", messageMetadata: end.metadata });
  const isLogged = await log.close();
  const storing = {
    failed,
    onFailure: () => {
      live.noteProgress();
      log.keep();
    },
  };
  await ifPossible(() => recordUsage(options, { ...settled, parts }), undefined, storing);
  const stored = await endAnswer(
    owner,
    {
      ...{ run, parts, pause, metadata: end.metadata },
      receipt: given && receiptAtEnd(options, { given, end, outcome, parts }),
    },
    storing,
  );
  // The database is back: viewers in other processes read the log.
  if (!isLogged) await log.close();
  await log.removeSpooled();
  if (!stored) return null;
  live.push({ type: "finish", messageMetadata: stored });
  const { error } = outcome;
  const unread = error instanceof UnreadInputError && !outcome.aborted ? { unread: error } : {};
  return { status: stored.status, metadata: stored, pause, ...unread };
}

async function recordUsage(
  options: WriteAnswerOptions,
  { outcome, given, parts }: Settled & { readonly parts: readonly SessionMessagePart[] },
): Promise<void> {
  const { owner, run, kept, continued } = options;
  const receipt = given?.receipt ?? null;
  const usage = answerUsage(run, {
    reported: outcome.usage,
    receipt,
    parts: kept ? writtenSince(kept.parts, parts) : parts.slice(continued?.parts.length ?? 0),
    ...pricesOf(options.resolved.info, receipt),
  });
  if (usage) await owner.usage.record(usage);
}

/** The whole receipt where the database was away when the model began. */
function receiptAtEnd(
  { prepared: { found } }: WriteAnswerOptions,
  {
    given,
    end: { metadata },
    outcome,
    parts,
  }: {
    readonly given: Given;
    readonly end: Pick<AnswerEnd, "metadata">;
    readonly outcome: ModelOutcome;
    readonly parts: readonly SessionMessagePart[];
  },
): Partial<StoredReceipt> {
  const { inputTokens = 0, outputTokens = 0 } = metadata;
  const cached = outcome.usage?.inputTokenDetails.cacheReadTokens;
  return {
    ...(!given.isSaved && given.receipt),
    ...tokensAsCounted(given.receipt, metadata.input),
    ...notSent(given.input),
    used: usesAtEnd(given.receipt.used ?? [], { found, parts }),
    usage: outcome.usage
      ? { inputTokens, outputTokens, ...(cached !== undefined && { cachedInputTokens: cached }) }
      : null,
    cost: metadata.cost ?? null,
    finishedAt: new Date().toISOString(),
  };
}
