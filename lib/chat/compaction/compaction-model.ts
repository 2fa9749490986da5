import {
  type CompactFunction,
  createCompactFunction,
  type Session,
  type SessionMessage,
} from "grove-session";
import type { PreviewedCompactFunction, Summarize } from "grove-session/ports";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import { withTextsOnly } from "@/lib/chat/files/given-files";
import { ifPossible } from "@/lib/chat/runs/retry";
import { type CallUsage, textCallUsage } from "@/lib/chat/runs/usage";
import { modelInput, type SentInFull } from "@/lib/chat/sessions/model-input";
import { contextWindowOf } from "@/lib/chat/settings/models";
import { createSummarizer, type ResolvedModel, type TextCall } from "@/lib/llm";

const compactAtShare = 0.8;
const tailShare = 0.25;
const maxTailTokens = 20_000;

export interface CompactionOptions {
  readonly resolved: ResolvedModel;
  readonly isManual?: boolean | undefined;
  /** Awaited with the messages to summarize; throwing cancels the compaction. */
  readonly onBegin?: ((messages: readonly SessionMessage[]) => Promise<void>) | undefined;
  readonly onPiece?: (() => void) | undefined;
  readonly onDelta?: ((delta: string) => void) | undefined;
  readonly onError?: ((error: unknown) => void) | undefined;
  readonly contextTokens?: ((history: readonly SessionMessage[]) => Promise<number>) | undefined;
  readonly sentInFull?: SentInFull | undefined;
  readonly keyId?: string | undefined;
  readonly onUsed?: ((used: CallUsage) => void) | undefined;
  readonly onUnrecorded?: ((error: unknown) => void) | undefined;
}

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

function compactionLimits({ resolved, isManual }: CompactionOptions) {
  if (isManual) return { protectHead: 0, tailTokenBudget: 0, minTailMessages: 2 };
  const tail = Math.floor(tailShare * contextWindowOf(resolved.info));
  return { protectHead: 2, tailTokenBudget: Math.min(maxTailTokens, tail), minTailMessages: 2 };
}

export function compactFunction(
  owner: OwnerData,
  sessionId: string,
  options: CompactionOptions,
): PreviewedCompactFunction {
  const { resolved, onBegin, sentInFull } = options;
  const compact = createCompactFunction({
    onBegin,
    modelView: (messages) => modelInput(messages, { sentInFull }).messages,
    summarize: pricedSummarizer(options, summaryCalls(owner, { ...options, sessionId })),
    ...compactionLimits(options),
    maxInputTokens: Math.floor(compactAtShare * contextWindowOf(resolved.info)),
  });
  const read = (messages: readonly SessionMessage[]) => withTextsOnly(messages, owner.files);
  const { summarizeAll, preview } = compact;
  return Object.assign(
    async (...[messages, call]: Parameters<CompactFunction>) => compact(await read(messages), call),
    {
      summarizeAll: async (...[messages, call]: Parameters<typeof summarizeAll>) =>
        summarizeAll(await read(messages), call),
      preview,
    },
  );
}

function summaryCalls(
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
