import { contextWindowOf } from "@/lib/chat/core/context-window";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import { withTextsOnly } from "@/lib/chat/files/given-files";
import { ifPossible } from "@/lib/chat/runs/retry";
import { type CallUsage, textCallUsage } from "@/lib/chat/runs/usage";
import { modelInput, type SentInFull } from "@/lib/chat/sessions/model-input";
import { createSummarizer, type ResolvedModel, type TextCall } from "@/lib/llm";
import {
  type CompactFunction,
  createCompactFunction,
  type Session,
  type SessionMessage,
  type Summarize,
} from "@/lib/session";

const compactAtShare = 0.8;
const tailShare = 0.25;
const maxTailTokens = 20_000;

export interface CompactionOptions {
  readonly resolved: ResolvedModel;
  /** Otherwise the context window is about to overflow. */
  readonly isManual?: boolean | undefined;
  /** Called with the messages to summarize, and awaited. Throwing cancels the compaction. */
  readonly onBegin?: ((messages: readonly SessionMessage[]) => Promise<void>) | undefined;
  /** Called at the start of each piece of a long conversation. */
  readonly onPiece?: (() => void) | undefined;
  readonly onDelta?: ((delta: string) => void) | undefined;
  readonly onError?: ((error: unknown) => void) | undefined;
  /** Counts a whole request with this history. */
  readonly contextTokens?: ((history: readonly SessionMessage[]) => Promise<number>) | undefined;
  /** Counted and summarized whole. Default: none. */
  readonly sentInFull?: SentInFull | undefined;
  /** Of the program that pays for it. */
  readonly keyId?: string | undefined;
  /** Called after each call of the model. */
  readonly onUsed?: ((used: CallUsage) => void) | undefined;
  /** Receives why the use of a call could not be recorded, which then fails no summary. */
  readonly onUnrecorded?: ((error: unknown) => void) | undefined;
}

/** On request, and automatically at 80% of the context window. */
export function withCompaction(
  session: Session,
  owner: OwnerData,
  options: CompactionOptions,
): Session {
  const contextWindow = contextWindowOf(options.resolved.info);
  return session
    .onCompaction(compactFunction(owner, session.id, options))
    .onCompactionError((error) => options.onError?.(error))
    .compactAfter(
      { share: compactAtShare, contextWindow },
      { contextTokens: options.contextTokens },
    );
}

/** A manual compaction covers as much as possible; an automatic one keeps the newest quarter of the context window. */
export function compactionLimits({ resolved, isManual }: CompactionOptions) {
  if (isManual) return { protectHead: 0, tailTokenBudget: 0, minTailMessages: 2 };
  const tail = Math.floor(tailShare * contextWindowOf(resolved.info));
  return { protectHead: 2, tailTokenBudget: Math.min(maxTailTokens, tail), minTailMessages: 2 };
}

export function compactFunction(
  owner: OwnerData,
  sessionId: string,
  options: CompactionOptions,
): CompactFunction {
  const { resolved, onBegin, sentInFull } = options;
  const compact = createCompactFunction({
    onBegin,
    modelView: (messages) => modelInput(messages, { sentInFull }).messages,
    summarize: pricedSummarizer(options, summaryCalls(owner, { ...options, sessionId })),
    ...compactionLimits(options),
    maxInputTokens: Math.floor(compactAtShare * contextWindowOf(resolved.info)),
  });
  const read = (messages: readonly SessionMessage[]) => withTextsOnly(messages, owner.files);
  const { summarizeAll } = compact;
  const reading: CompactFunction = async (messages, call) => compact(await read(messages), call);
  if (summarizeAll)
    reading.summarizeAll = async (messages, call) => summarizeAll(await read(messages), call);
  return reading;
}

/** A long conversation needs several calls for one summary. */
export function summaryCalls(
  owner: OwnerData,
  {
    sessionId,
    resolved,
    keyId,
    onUsed,
    onUnrecorded,
  }: Pick<CompactionOptions, "resolved" | "keyId" | "onUsed" | "onUnrecorded"> & {
    readonly sessionId: string;
  },
): (call: TextCall) => Promise<void> {
  return async (call) => {
    const used = textCallUsage(call, resolved);
    const id = `summary ${crypto.randomUUID()}`;
    if (!used) return;
    onUsed?.(used);
    const record = () => owner.usage.record({ id, kind: "summary", sessionId, keyId, ...used });
    if (onUnrecorded) await ifPossible(record, false, { failed: onUnrecorded });
    else await record();
  };
}

function pricedSummarizer(
  { resolved, onPiece, onDelta }: CompactionOptions,
  onCall: (call: TextCall) => Promise<void>,
): Summarize {
  return async (prompt, options) => {
    let cost: number | null = null;
    const summarize = createSummarizer({
      model: resolved.model,
      onStart: onPiece,
      onDelta,
      onCall: async (call) => {
        cost = textCallUsage(call, resolved)?.cost ?? null;
        await onCall(call);
      },
    });
    const text = await summarize(prompt, options);
    return { text, model: resolved.info.ref, ...(cost !== null && { cost }) };
  };
}
