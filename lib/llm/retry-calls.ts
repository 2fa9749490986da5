import { setTimeout as delay } from "node:timers/promises";
import type { LanguageModelV4Middleware, LanguageModelV4StreamResult } from "@ai-sdk/provider";
import { APICallError } from "ai";
import { refusedIn } from "./ask-without";
import { type StreamingCall, streamingCall } from "./checked-fetch";
import { retryAfterMs } from "./describe-model-error";
import {
  isOutOfCredit,
  type ModelErrorEvidence,
  modelErrorCode,
  modelErrorEvidence,
} from "./model-error-code";
import type { ModelLimits } from "./model-limits";
import { openStream } from "./opened-stream";
import { ProviderFaultError } from "./provider-fault";
import type { OpenedCall, StreamPart } from "./stream-parts";
import { transformStream } from "./transform-stream";

const longestWaitMs = 10_000;

/** A call that a silent provider may still be working on is not retried. */
export function retryCalls(limits: ModelLimits): LanguageModelV4Middleware {
  return {
    specificationVersion: "v4",
    wrapStream: async ({ doStream, params }) => {
      const { abortSignal } = params;
      for (let failed = 0; ; failed++) {
        const opened = await open(doStream);
        if (!("fault" in opened)) return opened.result;
        const isRefused = refusedIn(opened.fault, params) !== null;
        const mayRetry = failed < limits.retries && !isRefused;
        const waitMs = mayRetry ? retryDelayMs(opened.fault, failed, limits) : null;
        if (waitMs === null || abortSignal?.aborted) {
          if (opened.result) return opened.result;
          throw opened.fault;
        }
        await opened.result?.stream.cancel();
        await delay(waitMs, undefined, abortSignal && { signal: abortSignal });
      }
    },
  };
}

/** `null` when a retry would not help; up to half of the pause is random. */
export function retryDelayMs(
  error: unknown,
  failed: number,
  { retryPauseMs }: Pick<ModelLimits, "retryPauseMs">,
): number | null {
  const evidence = modelErrorEvidence(error);
  if (!isWorthRetrying(evidence)) return null;
  const pauseMs = retryPauseMs * 2 ** failed * (0.75 + Math.random() / 2);
  const waitMs = retryAfterMs(evidence.headers) ?? 0;
  return waitMs > longestWaitMs ? null : Math.max(waitMs, pauseMs);
}

function isWorthRetrying(evidence: ModelErrorEvidence): boolean {
  const fault = evidence.chain.find((link) => ProviderFaultError.isInstance(link));
  if (fault && fault.fault !== "refusal") return fault.fault === "no-body";
  if (isOutOfCredit(evidence) || permanent.test(evidence.text)) return false;
  const call = evidence.chain.find((link) => APICallError.isInstance(link));
  if (call?.statusCode !== undefined && call.statusCode >= 400) return call.isRetryable;
  return retryable.has(modelErrorCode(evidence));
}

const permanent = /enotfound|certificate|self[- ]signed|unexpected redirect|invalid header value/;
const retryable: ReadonlySet<string> = new Set(["rate-limited", "overloaded", "network", "cut"]);

async function open(doStream: () => PromiseLike<LanguageModelV4StreamResult>): Promise<OpenedCall> {
  const call: StreamingCall = { fault: undefined };
  try {
    const result = await streamingCall.run(call, doStream);
    const { stream, first } = await openStream(withFault(result.stream, call));
    return { result: { ...result, stream }, ...(first && faultIn(first)) };
  } catch (fault) {
    return { result: null, fault };
  }
}

function faultIn(part: StreamPart): { fault?: unknown } {
  if (part.type === "error") return { fault: part.error };
  if (part.type !== "finish") return {};
  const { unified, raw } = part.finishReason;
  const isCut = raw === undefined && (unified === "other" || unified === "error");
  return isCut ? { fault: new Error("The answer ended without a finish reason.") } : {};
}

function withFault(
  parts: ReadableStream<StreamPart>,
  call: StreamingCall,
): ReadableStream<StreamPart> {
  let isTold = false;
  return transformStream(parts, {
    transform(part, output) {
      const isEnd = part.type === "finish" || part.type === "error";
      if (isEnd && call.fault !== undefined && !isTold) {
        isTold = true;
        output.enqueue({ type: "error", error: call.fault });
      }
      if (part.type !== "error" || !isTold) output.enqueue(part);
    },
    flush(output) {
      if (call.fault !== undefined && !isTold) output.enqueue({ type: "error", error: call.fault });
    },
  });
}
